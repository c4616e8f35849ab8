package dev.stowage.openstack.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.openstack.translate.CloudFacts;
import dev.stowage.openstack.translate.HostFacts;
import dev.stowage.openstack.translate.ServerFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cloud from files, in the columns that OpenStack's client 6.0 with osc-placement 4.0 writes. */
final class ClientFilesTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void write() throws IOException {
        write("hypervisors", """
            [{"ID": "u1", "Hypervisor Hostname": "h1.example.org", "Hypervisor Type": "QEMU", "Host IP": "10.0.0.1",
              "State": "up", "vCPUs Used": 0, "vCPUs": 16},
             {"ID": "u2", "Hypervisor Hostname": "h2.example.org", "Hypervisor Type": "QEMU", "State": "up"}]\
            """);
        write("services", """
            [{"ID": "s1", "Binary": "nova-compute", "Host": "h1", "Zone": "east", "Status": "enabled",
              "State": "up", "Updated At": "x", "Disabled Reason": null, "Forced Down": false},
             {"ID": "s2", "Binary": "nova-compute", "Host": "h2", "Zone": "nova", "Status": "disabled",
              "State": "up", "Updated At": "x", "Disabled Reason": "fan", "Forced Down": false}]\
            """);
        write("aggregates", """
            [{"ID": 1, "Name": "agg", "Availability Zone": "east", "Properties": {"ssd": "true"},
              "Hosts": ["h1"]}]\
            """);
        write("flavors", """
            [{"ID": "1", "Name": "m1", "RAM": 1024, "Disk": 10, "Ephemeral": 0, "VCPUs": 2, "Is Public": true,
              "Swap": "", "RXTX Factor": 1.0, "Properties": {"hw:numa_nodes": "2"}}]\
            """);
        write("servers", """
            [{"ID": "v1", "Name": "web", "Status": "ACTIVE", "Task State": null, "Image ID": "i1", "Flavor": "m1",
              "Availability Zone": "east", "Host": "h1", "Properties": {}},
             {"ID": "v2", "Name": "big", "Status": "ERROR", "Task State": null, "Image ID": "N/A (booted from \
            volume)", "Flavor": "gone", "Availability Zone": "", "Host": null, "Properties": {}},
             {"ID": "v3", "Name": "bare", "Status": "ACTIVE", "Task State": null, "Image ID": "i1",
              "Flavor": "m1", "Availability Zone": "nova", "Host": "h2", "Properties": {}}]\
            """);
        write("groups", """
            [{"ID": "g1", "Name": "db", "Policy": "anti-affinity", "Members": ["v1"], "Project Id": "p",
              "User Id": "u"}]\
            """);
        write("providers", """
            [{"uuid": "p1", "name": "h1.example.org", "generation": 1, "root_provider_uuid": "p1",
              "parent_provider_uuid": null},
             {"uuid": "p2", "name": "h2.example.org", "generation": 1, "root_provider_uuid": "p2",
              "parent_provider_uuid": null},
             {"uuid": "p3", "name": "h1_pci", "generation": 1, "root_provider_uuid": "p1",
              "parent_provider_uuid": "p1"}]\
            """);
        provider("p1", "16", """
            {"v1": {"resources": {"VCPU": 2, "MEMORY_MB": 1024}}, "m9": {"resources": {"VCPU": 3}}}\
            """);
        provider("p2", "8", "{}");
        provider("p3", "1", """
            {"v1": {"resources": {"VGPU": 1}}}\
            """);
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name + ".json"), text);
    }

    private void provider(String id, String total, String allocations) throws IOException {
        write("inventory-" + id, """
            [{"resource_class": "VCPU", "allocation_ratio": 4.0, "min_unit": 1, "max_unit": 16, "reserved": 1,
              "step_size": 1, "total": TOTAL, "used": 0}]\
            """.replace("TOTAL", total));
        write("traits-" + id, """
            [{"name": "HW_CPU_X86_AVX2"}]\
            """);
        write("provider-" + id, "{\"uuid\": \"" + id + "\", \"allocations\": " + allocations + "}");
    }

    /** The client failed, and left what it should have written empty. */
    @Test
    void whatIsEmptyIsRefused() throws IOException {
        write("providers", "");
        assertThatThrownBy(() -> CloudReader.files(directory))
                .hasMessageContaining("providers.json: is empty, so the call that wrote it failed");
    }

    @Test
    void everythingIsRead() {
        CloudFacts cloud = CloudReader.files(directory);
        HostFacts first = cloud.hosts().get(0);
        assertThat(first.node()).isEqualTo("h1.example.org");
        assertThat(first.host()).isEqualTo("h1");
        assertThat(first.zone()).isEqualTo("east");
        assertThat(first.closed()).isEmpty();
        // (16 - 1) x 4
        assertThat(first.capacity("VCPU")).isEqualTo(60);
        assertThat(first.traits()).containsExactly("HW_CPU_X86_AVX2");
        assertThat(first.aggregates().get(0).metadata()).isEqualTo(Map.of("ssd", "true"));
        HostFacts second = cloud.hosts().get(1);
        assertThat(second.zone()).isEqualTo("nova");
        assertThat(second.closed()).isEqualTo("is disabled (fan)");
        assertThat(cloud.groups().get(0).apart()).isTrue();
        assertThat(cloud.groups().get(0).mostPerHost()).isEqualTo(1);
    }

    @Test
    void serversHoldWhatPlacementSays() {
        CloudFacts cloud = CloudReader.files(directory);
        ServerFacts web = cloud.servers().get(0);
        assertThat(web.node()).isEqualTo("h1.example.org");
        assertThat(web.allocations()).isEqualTo(Map.of("VCPU", 2L, "MEMORY_MB", 1024L));
        assertThat(web.elsewhere()).containsExactly("1 VGPU of h1_pci");
        assertThat(web.needs().unknown()).containsExactly("hw:numa_nodes=2");
        assertThat(web.zone()).isEqualTo("east");
        ServerFacts big = cloud.servers().get(1);
        assertThat(big.refused()).isTrue();
        assertThat(big.volumeBacked()).isTrue();
        assertThat(big.needs().unknown()).containsExactly("flavor:gone=gone");
        // Nothing in Placement: it counts with its flavor.
        ServerFacts bare = cloud.servers().get(2);
        assertThat(bare.needs().amounts()).isEqualTo(Map.of("VCPU", 2L, "MEMORY_MB", 1024L, "DISK_GB", 10L));
        assertThat(cloud.strangers())
                .containsExactly(new CloudFacts.Stranger("m9", "h1.example.org", Map.of("VCPU", 3L)));
        assertThat(cloud.notes())
                .anyMatch(note -> note.startsWith("1 allocations belong to no server"))
                .anyMatch(note -> note.startsWith("resource provider h1_pci is a part of a host"))
                .anyMatch(note -> note.startsWith("1 servers hold nothing in Placement"));
    }

    @Test
    void whatIsMissingIsNamed() throws IOException {
        write("services", "[{\"ID\": \"s1\", \"Host\": \"h1\", \"Status\": \"enabled\", \"State\": \"up\"}]");
        assertThatThrownBy(() -> CloudReader.files(directory))
                .hasMessageContaining("services.json: has no column '")
                .hasMessageContaining("--long");
        Files.delete(directory.resolve("services.json"));
        assertThatThrownBy(() -> CloudReader.files(directory)).hasMessageContaining("services.json: is missing");
        write("services", "[");
        assertThatThrownBy(() -> CloudReader.files(directory)).hasMessageContaining("is not JSON");
    }
}
