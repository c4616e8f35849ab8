package dev.stowage.cli.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code stowage openstack advise --from}: three hosts of 16 vCPUs, a group of each kind. */
final class OpenStackAdviseCommandTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void write() throws IOException {
        List<String> hypervisors = List.of(
                "{'Hypervisor Hostname': 'h1', 'Hypervisor Type': 'QEMU'}",
                "{'Hypervisor Hostname': 'h2', 'Hypervisor Type': 'QEMU'}",
                "{'Hypervisor Hostname': 'h3', 'Hypervisor Type': 'QEMU'}");
        write("hypervisors", hypervisors);
        write("services", List.of(service("h1", "east"), service("h2", "east"), service("h3", "west")));
        write("aggregates", List.of());
        write(
                "flavors",
                List.of(
                        flavor("m1", 2, ""),
                        flavor("huge", 32, ""),
                        flavor("gold", 1, "'trait:CUSTOM_GOLD': 'required'")));
        write(
                "servers",
                List.of(
                        server("near-1", "h1", ""),
                        server("near-2", "h1", ""),
                        server("apart-1", "h1", ""),
                        server("apart-2", "h2", ""),
                        server("east", "h2", "east")));
        write(
                "groups",
                List.of(
                        "{'ID': 'g1', 'Name': 'near', 'Policy': 'affinity', 'Members': ['near-1', 'near-2']}",
                        "{'ID': 'g2', 'Name': 'apart', 'Policy': 'anti-affinity', 'Members': ['apart-1', 'apart-2']}"));
        write(
                "providers",
                List.of(
                        "{'uuid': 'h1', 'name': 'h1'}",
                        "{'uuid': 'h2', 'name': 'h2'}",
                        "{'uuid': 'h3', 'name': 'h3'}"));
        provider("h1", "'near-1': %1$s, 'near-2': %1$s, 'apart-1': %1$s");
        provider("h2", "'apart-2': %1$s, 'east': %1$s");
        provider("h3", "");
    }

    private static String service(String host, String zone) {
        return "{'ID': '" + host + "', 'Binary': 'nova-compute', 'Host': '" + host + "', 'Zone': '" + zone
                + "', 'Status': 'enabled', 'State': 'up', 'Disabled Reason': null, 'Forced Down': false}";
    }

    private static String flavor(String name, int vcpus, String specs) {
        return "{'ID': '" + name + "', 'Name': '" + name + "', 'RAM': 1024, 'Disk': 0, 'Ephemeral': 0, 'VCPUs': "
                + vcpus + ", 'Swap': '', 'Properties': {" + specs + "}}";
    }

    private static String server(String name, String host, String zone) {
        return "{'ID': '" + name + "', 'Name': '" + name + "', 'Status': 'ACTIVE', 'Task State': null, 'Image ID': 'i',"
                + " 'Flavor': 'm1', 'Availability Zone': '" + zone + "', 'Host': '" + host + "', 'Properties': {}}";
    }

    private void provider(String name, String allocations) throws IOException {
        write(
                "inventory-" + name,
                List.of(
                        "{'resource_class': 'VCPU', 'allocation_ratio': 1.0, 'min_unit': 1, 'max_unit': 16, 'reserved': 0,"
                                + " 'step_size': 1, 'total': 16}",
                        "{'resource_class': 'MEMORY_MB', 'allocation_ratio': 1.0, 'min_unit': 1, 'max_unit': 65536,"
                                + " 'reserved': 0, 'step_size': 1, 'total': 65536}"));
        write("traits-" + name, List.of());
        String amounts = "{'resources': {'VCPU': 2, 'MEMORY_MB': 1024}}";
        Files.writeString(
                directory.resolve("provider-" + name + ".json"),
                ("{'uuid': '" + name + "', 'allocations': {" + String.format(allocations, amounts) + "}}")
                        .replace('\'', '"'));
    }

    private void write(String name, List<String> objects) throws IOException {
        Files.writeString(
                directory.resolve(name + ".json"), ("[" + String.join(", ", objects) + "]").replace('\'', '"'));
    }

    private Program advise(String... more) {
        String[] all = new String[more.length + 4];
        all[0] = "openstack";
        all[1] = "advise";
        all[2] = "--from";
        all[3] = directory.toString();
        System.arraycopy(more, 0, all, 4, more.length);
        return Program.run(all);
    }

    /** Wrong: a server of an affinity group was said to be free to run away from the others. */
    @Test
    void whyNotKnowsTheRulesOfGroupsZonesAndHosts() {
        assertThat(advise("--why-not", "near-1 on h2").out().replaceAll("\\s+", " "))
                .isEqualTo(
                        "near-1 on h2: host holds no server of the affinity group, whose servers must be on one host ");
        assertThat(advise("--why-not", "near-1 on h2", "--format", "json").out())
                .contains("affinity group");
        assertThat(advise("--why-not", "near-1 on h1").out()).contains("it runs there, and no rule forbids it");
        assertThat(advise("--why-not", "apart-1 on h2").out()).contains("holds a server of anti-affinity group apart");
        assertThat(advise("--why-not", "apart-1 on h3").out()).isEqualTo("apart-1 on h3: no rule forbids it\n");
        assertThat(advise("--why-not", "east on h3").out()).contains("is in zone west, not in east");
    }

    /** The host of an affinity group may be lost: all of it may run on another. */
    @Test
    void anAffinityGroupMayMoveAsAWhole() {
        assertThat(advise().out()).contains("Any single host can be lost");
    }

    @Test
    void hostsOfAFlavorFitThePageAndSayEachReasonOnce() {
        Program huge = advise("--explain", "huge");
        assertThat(huge.out())
                .startsWith("a new server of flavor huge (VCPU 32, MEMORY_MB 1.0 GiB): 0 of 3 hosts accept it\n")
                .contains("(max_unit)")
                .doesNotContain("even when empty");
        assertThat(huge.out().lines()).allMatch(line -> line.length() <= 100);
        assertThat(advise("--explain", "m1", "--zone", "west").out()).contains("1 of 3 hosts accepts it");
    }

    /** Wrong: hosts whose disks are on shared storage were said to have none, and so no room for anything. */
    @Test
    void storageThatHostsShareIsNotCheckedAndAllElseIs() throws IOException {
        write("flavors", List.of(flavor("m1", 2, ""), flavor("disk", 2, "").replace("'Disk': 0", "'Disk': 20")));
        write(
                "providers",
                List.of(
                        "{'uuid': 'h1', 'name': 'h1'}",
                        "{'uuid': 'h2', 'name': 'h2'}",
                        "{'uuid': 'h3', 'name': 'h3'}",
                        "{'uuid': 'nfs', 'name': 'nfs'}"));
        provider("nfs", "");
        write("inventory-nfs", List.of("{'resource_class': 'DISK_GB', 'total': 100, 'reserved': 10}"));
        assertThat(advise("--explain", "disk").out()).contains("h1 has no DISK_GB");
        write("traits-nfs", List.of("{'name': 'MISC_SHARES_VIA_AGGREGATE'}"));
        String nfs = "DISK_GB of nfs (90 free), which is shared by hosts and not checked";
        assertThat(words(advise("--explain", "disk")))
                .startsWith(
                        "a new server of flavor disk (VCPU 2, MEMORY_MB 1.0 GiB): 3 of 3 hosts accept it, by all else"
                                + " than " + nfs + " h1 accepts it");
        assertThat(words(advise("--add", "40 x disk")))
                .contains("Of 40 servers, 19 fit now")
                .contains("They also ask for " + nfs + "; if that is short, fewer fit.");
        write(
                "servers",
                List.of(
                        server("near-1", "h1", ""),
                        server("w", "", "").replace("ACTIVE", "ERROR").replace("'m1'", "'disk'")));
        assertThat(words(advise()))
                .contains("w: asks for " + nfs + "; by all else 3 hosts have room for it now")
                .doesNotContain("no DISK_GB");
        assertThat(words(advise("--why-not", "w on h3")))
                .isEqualTo("w on h3: no rule forbids it; it asks for " + nfs + " ");
    }

    /** A host with a disk of its own beside others: one reason for those that may have the shared one, not two. */
    @Test
    void hostsThatMayHaveSharedStorageCannotBeChecked() throws IOException {
        write("flavors", List.of(flavor("disk", 2, "").replace("'Disk': 0", "'Disk': 20")));
        write(
                "providers",
                List.of(
                        "{'uuid': 'h1', 'name': 'h1'}",
                        "{'uuid': 'h2', 'name': 'h2'}",
                        "{'uuid': 'nfs', 'name': 'nfs'}"));
        provider("nfs", "");
        String disk = "{'resource_class': 'DISK_GB', 'total': 100, 'reserved': 0}";
        write("inventory-nfs", List.of(disk));
        write(
                "inventory-h2",
                List.of(
                        disk,
                        "{'resource_class': 'VCPU', 'total': 16}",
                        "{'resource_class': 'MEMORY_MB', 'total': 65536}"));
        write("traits-nfs", List.of("{'name': 'MISC_SHARES_VIA_AGGREGATE'}"));
        assertThat(words(advise("--explain", "disk")))
                .contains("h1 cannot be checked: DISK_GB may come from nfs (100 free) h2 accepts it");
    }

    private static String words(Program done) {
        return done.out().replaceAll("\\s+", " ");
    }

    /** A flavor that does not exist was said to be no amount. */
    @Test
    void whatIsAddedMustBeAFlavorOrAmounts() {
        assertThat(advise("--add", "40 x nosuch").err())
                .contains("the cloud has no flavor 'nosuch'; it has gold, huge, m1");
        assertThat(advise("--add", "40 x hug").err()).contains("did you mean huge?");
        assertThat(advise("--add", "3 x m1, 2 x huge").err()).contains("one flavor at a time");
        assertThat(advise("--add", "0 x m1").err()).contains("the number must be at least 1");
        assertThat(advise("--add", "3 x m1").out()).contains("Of 3 servers, 3 fit now");
        assertThat(advise("--add", "3 x 2 cores, 4 GiB").out()).contains("Of 3 servers, 3 fit now");
    }

    @Test
    void aFileOfRequestsThatIsMissingOrEmptyIsNamed() throws IOException {
        Path clouds = Files.writeString(
                directory.resolve("clouds.yaml"),
                "clouds: {one: {auth_type: admin_token, auth: {token: t, endpoint: \"http://127.0.0.1:1\"}}}");
        Path file = directory.resolve("requests.jsonl");
        assertThat(submit(clouds, file).err()).contains("requests.jsonl: ").doesNotContain(".sent");
        Files.writeString(file, "");
        assertThat(submit(clouds, file).err()).contains("requests.jsonl: has no request");
    }

    private static Program submit(Path clouds, Path file) {
        return Program.run("openstack", "submit", "--clouds", clouds.toString(), file.toString());
    }
}
