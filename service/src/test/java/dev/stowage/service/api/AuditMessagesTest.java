package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.service.state.AuditRecord;
import dev.stowage.service.v1.Audit;
import dev.stowage.service.v1.OperationsGrpc;
import io.grpc.MethodDescriptor.Marshaller;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

final class AuditMessagesTest {
    private static final List<String> RESOURCES = List.of("cpu_milli", "mem_mib");

    @Test
    void aQuotaIsSaidByResource() {
        assertThat(AuditMessages.quotaByName("set-quota tenant=a requests=-1 amounts=[4000, -1]", RESOURCES))
                .isEqualTo("set-quota tenant=a amount.cpu_milli=4000");
        assertThat(AuditMessages.quotaByName("set-quota tenant=a requests=7 amounts=[4]", List.of("requests")))
                .as("a resource of this name")
                .isEqualTo("set-quota tenant=a requests=7 amount.requests=4");
        assertThat(AuditMessages.quotaByName("set-quota tenant= requests=7 amounts=[]", RESOURCES))
                .isEqualTo("set-quota tenant= requests=7");
        assertThat(AuditMessages.quotaByName("set-quota tenant=* requests=-1 amounts=[-1, -1]", RESOURCES))
                .isEqualTo("set-quota tenant=* unlimited");
        assertThat(AuditMessages.quotaByName("drain server=3", RESOURCES)).isEqualTo("drain server=3");
    }

    @Test
    void aServerIsSaidByName() {
        IntFunction<String> names = server -> server == 3 ? "ams-c1" : "";
        assertThat(AuditMessages.serverByName("lose server=3", names)).isEqualTo("lose server=3 name=ams-c1");
        assertThat(AuditMessages.serverByName("drain-moving server=3 gap=1", names))
                .isEqualTo("drain-moving server=3 gap=1 name=ams-c1");
        for (String same : List.of("lose server=13", "evict id=3 name=a", "label server=1 labels=server=3")) {
            assertThat(AuditMessages.serverByName(same, names)).isEqualTo(same);
        }
    }

    @Test
    void jsonEscapesOnlyWhatItMust() throws Exception {
        Audit audit = AuditMessages.of(
                List.of(new AuditRecord(1, 2, "<ops> & 'co'", "drain at=0 server=3", "\"no\"\n")),
                RESOURCES,
                server -> "");
        JsonMessages json = JsonMessages.of(OperationsGrpc.getServiceDescriptor());
        Marshaller<Audit> type = OperationsGrpc.getGetAuditMethod().getResponseMarshaller();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        json.serializeMessage(type, audit, out);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("\"actor\":\"<ops> & 'co'\"", "\"change\":\"drain server=3\"", "\\\"no\\\"\\n");
        assertThat(json.deserializeMessage(type, new ByteArrayInputStream(out.toByteArray())))
                .isEqualTo(audit);
    }
}
