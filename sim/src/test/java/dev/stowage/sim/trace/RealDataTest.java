package dev.stowage.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The data kept beside the project: every row is read, and by the right format. */
class RealDataTest {
    @ParameterizedTest
    @CsvSource({
        "azure2017_vms_5.7d.csv.gz, azure2017, 410276",
        "azure2017_vms_3.5d.csv.gz, azure2017, 259159",
        "azure2017_vms_5pct_5.7d.csv.gz, azure2017, 20063",
        "azure2017_vms_small_1d.csv, azure2017, 3367",
        "openb_pod_list_default.csv.gz, openb-pods, 8152",
        "openb_pod_list_gpuspec33.csv.gz, openb-pods, 8152",
        "openb_requests.csv.gz, openb-requests, 8121",
        "surf2022_halfyear_jobs.csv.gz, surf, 194917",
        "google2011_tasks_t0_sample.csv.gz, google2011-sample, 936",
        "philly_jobs_15000.csv.gz, interval-jobs, 15000",
        "theta_jobs_15000.csv.gz, interval-jobs, 15000",
    })
    void tracesAreReadWhole(String name, String format, int rows) {
        LoadedTrace loaded = Sources.read(Sources.real(name));
        System.out.println(name + "\n  " + String.join("\n  ", loaded.report().lines()));
        assertThat(loaded.report().format()).isEqualTo(format);
        assertThat(loaded.report().rowsRead()).isEqualTo(rows);
        assertThat(loaded.report().rowsUsed()).isEqualTo(rows);
        assertThat(loaded.trace().size()).isEqualTo(rows);
    }

    @ParameterizedTest
    @CsvSource({
        "openb_node_list_all_node.csv.gz, openb-nodes, 1523",
        "google2011_machines_sample.csv.gz, google2011-machines, 1523",
        "pai2020_machine_spec.csv.gz, pai2020-machines, 1897",
    })
    void serverListsAreReadWhole(String name, String format, int servers) {
        Path file = Sources.real(name);
        LoadedServers loaded = ServerListReader.read(file, ReadOptions.defaults());
        System.out.println(name + "\n  " + String.join("\n  ", loaded.report().lines()));
        assertThat(loaded.report().format()).isEqualTo(format);
        assertThat(loaded.report().rowsRead()).isEqualTo(servers);
        assertThat(loaded.servers().blocks().stream()
                        .mapToLong(ServerList.Block::count)
                        .sum())
                .isEqualTo(servers);
    }
}
