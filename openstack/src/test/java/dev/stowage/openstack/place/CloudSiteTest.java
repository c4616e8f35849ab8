package dev.stowage.openstack.place;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.openstack.translate.CloudFacts;
import dev.stowage.openstack.translate.FlavorFacts;
import dev.stowage.openstack.translate.GroupFacts;
import dev.stowage.openstack.translate.HostFacts;
import dev.stowage.openstack.translate.Inventory;
import dev.stowage.policies.Policies;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Why no host may take a request: a cloud with one host of 16 vCPUs in zone east. */
final class CloudSiteTest {
    private static final class Cloud implements ServerCalls {
        @Override
        public CloudFacts read() {
            HostFacts host = new HostFacts(
                    "a",
                    "a",
                    "",
                    "east",
                    "",
                    "",
                    "QEMU",
                    1,
                    new TreeMap<>(Map.of("VCPU", new Inventory(16, 0, 1, 1, 16, 1))),
                    Set.of(),
                    List.of());
            return new CloudFacts(
                    List.of(host),
                    new TreeMap<>(),
                    List.of(),
                    List.of(new GroupFacts("g", "group", "affinity", 1, List.of())),
                    List.of(),
                    new TreeMap<>(),
                    List.of());
        }

        @Override
        public FlavorFacts flavor(String id) {
            Map<String, String> specs = id.equals("2") ? Map.of("hw:numa_nodes", "2") : Map.of();
            return new FlavorFacts("f" + id, Long.parseLong(id), 0, 0, 0, 0, new TreeMap<>(specs));
        }

        @Override
        public List<Made> made(String key) {
            return List.of();
        }

        @Override
        public String create(JsonNode body) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void delete(String id) {
            throw new UnsupportedOperationException();
        }
    }

    private final CloudSite site = new CloudSite("one", true, 0, new Cloud());

    private String why(int vcpus, String more, String group) {
        ServerRequest one = ServerRequest.read(List.of("{\"server\": {\"name\": \"x\", \"flavorRef\": \"" + vcpus + "\""
                        + more + "}, \"os:scheduler_hints\": {\"group\": \"" + group + "\"}}"))
                .get(0);
        return site.hosts(one, Set.of()).isEmpty() ? site.whyNone(one) : "";
    }

    /** All of these waited with one sentence, and a command line that had not even the flavor. */
    @Test
    void theReasonIsNamed() {
        HostEngine engine = HostEngine.ofOne(PolicySpec.of("bf-js"), new Policies(), () -> 1, 1);
        assertThat(site.read(engine, 0)).isEmpty();
        assertThat(why(16, "", "")).isEmpty();
        assertThat(why(17, "", "")).isEqualTo("no host is large enough for flavor f17, even empty");
        assertThat(why(2, "", ""))
                .isEqualTo("no host may take it: flavor f2 asks for something that Stowage does not know:"
                        + " hw:numa_nodes=2");
        assertThat(why(1, ", \"availability_zone\": \"north\"", ""))
                .isEqualTo("no host may take it (stowage openstack advise --cloud one --explain f1 --zone north says"
                        + " why)");
        assertThat(why(1, "", "nogroup")).isEqualTo("there is no server group 'nogroup'");
        assertThat(why(1, "", "g")).isEmpty();
    }
}
