package dev.stowage.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that may be less, or something else, than they look like. */
class DoubtsTest {
    @TempDir
    private Path dir;

    private List<String> warnings(String name, String... lines) {
        return Sources.warnings(Sources.read(Sources.text(dir, name, lines)).report());
    }

    /** Nutanix, AWS, Azure, Google Cloud, OpenStack, CloudStack. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "'\"metadata\":{\"total_matches\":120,\"length\":1}'; 1 of 120 (metadata.total_matches)",
                "'\"NextToken\":\"eyJ0\"'; NextToken says that there are more",
                "'\"nextLink\":\"https://example.com\"'; nextLink says that there are more",
                "'\"nextPageToken\":\"abc\"'; nextPageToken says that there are more",
                "'\"servers_links\":[{\"rel\":\"next\",\"href\":\"x\"}]'; servers_links has the next page",
                "'\"count\":2'; 1 of 2 (count)",
                "'\"total\":2'; 1 of 2 (total)",
                "'\"meta\":{\"pagination\":{\"total\":2}}'; 1 of 2 (meta.pagination.total)",
                "'\"list\":{\"page\":1,\"total\":2}'; 1 of 2 (list.total)"
            })
    void aPageOfAList(String rest, String why) {
        assertThat(warnings("page.json", "{\"vms\":[{\"name\":\"a\",\"vcpus\":4,\"memory_gb\":16}]," + rest + "}"))
                .containsExactly("warning: the file has one page of a list: " + why + "; fetch the other pages, too");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"metadata\":{\"total_matches\":1,\"length\":1}",
                "\"NextToken\":null",
                "\"nextLink\":\"\"",
                "\"hasMore\":false",
                "\"servers_links\":[{\"rel\":\"self\",\"href\":\"x\"}]",
                "\"count\":1",
                "\"usage\":{\"total\":1024}"
            })
    void theWholeList(String rest) {
        assertThat(warnings("page.json", "{\"vms\":[{\"name\":\"a\",\"vcpus\":4,\"memory_gb\":16}]," + rest + "}"))
                .isEmpty();
    }

    /** One file of all pages, one after the other. */
    @Test
    void allPages() {
        String page = "{\"vms\":[{\"name\":\"a%d\",\"vcpus\":4,\"memory_gb\":16}],\"count\":2,\"NextToken\":\"%s\"}";
        assertThat(warnings("pages.json", page.formatted(1, "x"), page.formatted(2, "")))
                .isEmpty();
        assertThat(warnings("pages.json", page.formatted(1, "x"), page.formatted(2, "y")))
                .hasSize(1);
    }

    @Test
    void eventsAreNoRequests() {
        assertThat(warnings(
                        "events.csv",
                        "time,instance,type,cpus,memory",
                        "600,1,SUBMIT,2,4",
                        "601,1,SCHEDULE,2,4",
                        "900,1,FINISH,2,4"))
                .containsExactly(
                        "warning: rows look like events, not requests (type: SUBMIT, SCHEDULE, FINISH), and each"
                                + " counts as a request: a table with a row for each request is needed");
        assertThat(warnings("vms.csv", "name,type,cpus,memory", "a,web,2,4", "b,end,2,4"))
                .isEmpty();
    }

    @Test
    void sharesOfAMachineAreNoCores() {
        assertThat(warnings("shares.csv", "name,cpus,memory", "a,0.0125,0.0036", "b,0.5,0.25"))
                .containsExactly(
                        "warning: all values of cpus and memory are fractions, read as cores and GiB: if they are"
                                + " shares of a machine, multiply them by what it has");
        assertThat(warnings("units.csv", "name,cpus,memory_gb", "a,0.5,0.25")).isEmpty();
        assertThat(warnings("some.csv", "name,cpus,memory", "a,0.5,0.25", "b,2,4"))
                .isEmpty();
    }

    @Test
    void instancesOfARow() {
        assertThat(warnings(
                        "tasks.csv",
                        "task_name,inst_num,start_time,end_time,plan_cpu,plan_mem",
                        "w,4,1000,2000,600,29"))
                .contains(
                        "warning: column inst_num is not used, each row counts once; if the amounts of a row are of each"
                                + " of so many that run at once: --columns \"gang=inst_num\"");
        assertThat(warnings(
                        "tasks.csv",
                        "task_name,inst_num,start_time,end_time,plan_cpu,plan_mem",
                        "w,1,1000,2000,600,29"))
                .isEmpty();
    }

    /** What runs now and has an end that is known is counted for ever. */
    @Test
    void endsToComeAreNotUsed() {
        assertThat(warnings("ends.csv", "name,cpu,memory GiB,expires", "a,8,16,2027-03-01", "b,8,16,"))
                .containsExactly(
                        "warning: column expires says when rows will end and is not used: what ends later counts"
                                + " as if it never ended, in all years of a growth, too; to leave this warning out: --columns"
                                + " \"duration=\"");
        assertThat(warnings("no.csv", "name,cpu,memory GiB,expires", "a,8,16,", "b,8,16,never"))
                .isEmpty();
    }

    /** Dates have no unit. */
    @Test
    void onlyNumbersMayHaveAnotherUnit() {
        String warning =
                "warning: every request with an end runs for 30 days or longer: if that is not so, give the unit, as"
                        + " in --columns ";
        assertThat(warnings("long.csv", "name,arrival,duration,cpu,mem", "a,0,3000000,2,4", "b,5,4000000,2,4"))
                .containsExactly(warning + "duration=COLUMN:ms");
        assertThat(warnings("ends.csv", "name,start,end,cpu,mem", "a,0,3000000,2,4", "b,5,4000000,2,4"))
                .containsExactly(warning + "end=COLUMN:ms");
        assertThat(warnings("dates.csv", "name,start,end,cpu,mem", "a,2026-01-01,,2,4", "b,2026-02-01,2026-04-01,2,4"))
                .noneMatch(each -> each.contains("30 days"));
    }

    /** As {@code gcloud compute machine-types list} prints them; sizes made to measure are in no list. */
    @Test
    void aSizeOfSeveralZonesIsOne() {
        Path sizes = Sources.text(
                dir,
                "sizes.json",
                "[{\"guestCpus\":4,\"memoryMb\":16384,\"name\":\"n2-standard-4\",\"zone\":\"europe-west1-b\"},",
                "{\"guestCpus\":4,\"memoryMb\":16384,\"name\":\"n2-standard-4\",\"zone\":\"us-east1-b\"}]");
        Path vms = Sources.text(
                dir,
                "vms.csv",
                "name,machineType",
                "a,zones/europe-west1-b/machineTypes/n2-standard-4",
                "b,zones/europe-west1-b/machineTypes/n2-custom-6-20480",
                "c,custom-2-4096");

        Trace trace = TraceReader.read(
                        vms,
                        ReadOptions.defaults()
                                .withFormat(TraceReader.OWN)
                                .withSetting(OwnFormat.SIZES, sizes.toString()))
                .trace();
        assertThat(Sources.dump(trace)).contains(" 4000 16384 ", " 6000 20480 ", " 2000 4096 ");
    }

    /** As {@code openstack flavor list --long} prints them, in JSON, as text, and with an older client. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "flavors.json;[{\"Name\":\"ded\",\"VCPUs\":8,\"RAM\":16384,\"Properties\":{\"hw:cpu_policy\":\"dedicated\","
                        + "\"hw:cpu_sockets\":\"2\",\"trait:CUSTOM_X\":\"required\"}},"
                        + "{\"Name\":\"vg\",\"VCPUs\":2,\"RAM\":4096,\"Properties\":{\"resources:VGPU\":\"1\"}},"
                        + "{\"Name\":\"unused\",\"VCPUs\":2,\"RAM\":4096,\"Properties\":{\"resources:FPGA\":\"1\"}}]",
                "flavors.csv;Name,VCPUs,RAM,Properties\n"
                        + "ded,8,16384,\"{'hw:cpu_policy': 'dedicated', 'hw:cpu_sockets': '2', 'trait:CUSTOM_X': 'required'}\"\n"
                        + "vg,2,4096,{'resources:VGPU': '1'}\nunused,2,4096,{'resources:FPGA': '1'}",
                "old.csv;Name,VCPUs,RAM,Properties\n"
                        + "ded,8,16384,\"hw:cpu_policy='dedicated', hw:cpu_sockets='2', trait:CUSTOM_X='required'\"\n"
                        + "vg,2,4096,resources:VGPU='1'\nunused,2,4096,resources:FPGA='1'"
            })
    void extraSpecsThatAreNotCounted(String file) {
        String[] parts = file.split(";", 2);
        Path flavors = Sources.text(dir, parts[0], parts[1]);
        Path servers = Sources.text(dir, "servers.csv", "Name,Flavor", "a,ded", "b,ded", "c,vg");
        ReadOptions options =
                ReadOptions.defaults().withFormat(TraceReader.OWN).withSetting(OwnFormat.SIZES, flavors.toString());
        assertThat(Sources.warnings(TraceReader.read(servers, options).report()))
                .containsExactly(
                        "warning: extra specs of flavors are ignored here, 'stowage openstack advise' obeys them:"
                                + " hw:cpu_policy=dedicated (2 servers), trait:CUSTOM_X (2 servers), resources:VGPU"
                                + " (1 server); dedicated CPUs share no core, so with --overcommit the answer is too low"
                                + " for these");
        Path shared = Sources.text(
                dir,
                "shared.csv",
                "Name,VCPUs,RAM,Properties",
                "ded,8,16384,\"{'hw:cpu_policy':" + " 'shared'}\"",
                "vg,2,4096,{}");
        assertThat(Sources.warnings(TraceReader.read(servers, options.withSetting(OwnFormat.SIZES, shared.toString()))
                        .report()))
                .isEmpty();
    }

    /** Beside cores, in any language, CPUs are sockets. */
    @ParameterizedTest
    @CsvSource({"'Host,CPU,Kerne,RAM GB', 32000", "'Host,CPUs,Cores,RAM GB', 32000", "'Host,CPU,Coeurs,RAM GB', 32000"})
    void coresBeforeProcessors(String header, long milli) {
        Path hosts = Sources.text(dir, "hosts.csv", header, "a,2,32,512");
        assertThat(ServerListReader.read(hosts, "").servers().blocks().get(0).capacity())
                .containsExactly(milli, 524_288L);
    }

    /** What Slurm keeps for itself. */
    @Test
    void whatANodeHasForJobs() {
        Path nodes = Sources.text(
                dir,
                "nodes.txt",
                "NodeName=n1 CoresPerSocket=32",
                "   CPUAlloc=0 CPUEfctv=62 CPUTot=64",
                "   RealMemory=257000 Sockets=2 CoreSpecCount=2 MemSpecLimit=4096 State=IDLE",
                "NodeName=n2 CoresPerSocket=32",
                "   CPUAlloc=0 CPUEfctv=64 CPUTot=64",
                "   RealMemory=257000 Sockets=2 State=IDLE");
        LoadedServers loaded = ServerListReader.read(nodes, "");
        assertThat(loaded.servers().blocks())
                .extracting(ServerList.Block::capacity)
                .containsExactlyInAnyOrder(List.of(62_000L, 252_904L), List.of(64_000L, 257_000L));
        assertThat(loaded.report().lines()).contains("MemSpecLimit is subtracted from RealMemory");
    }
}
