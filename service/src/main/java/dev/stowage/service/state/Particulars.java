package dev.stowage.service.state;

import dev.stowage.core.engine.Refusal;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * All of a world but engine and requests.
 *
 * @param resources names of the resources
 * @param pooled names of the pooled resources
 * @param sites names of the sites
 * @param types the request types
 * @param keep how long a finished request and the answer to a change are known
 * @param nextNumber number of the next request
 * @param digest hash of what became of requests
 * @param answers to changes, by the change's id, oldest first
 * @param audit the audit trail, oldest first
 * @param quotas by tenant
 */
record Particulars(
        List<String> resources,
        List<String> pooled,
        List<String> sites,
        List<RequestType> types,
        Retention keep,
        long nextNumber,
        long digest,
        Map<String, KeptAnswer> answers,
        List<AuditRecord> audit,
        SortedMap<String, Quota> quotas) {

    byte[] encode() {
        StateWriter out = new StateWriter();
        for (List<String> all : List.of(resources, pooled, sites)) {
            out.putInt(all.size());
            all.forEach(out::putString);
        }
        OperationCodec.writeTypes(types, out);
        out.putLong(keep.nanos());
        out.putLong(nextNumber);
        out.putLong(digest);
        out.putInt(answers.size());
        answers.forEach((id, answer) -> {
            out.putString(id);
            out.putLong(answer.at());
            out.putLong(answer.fingerprint());
            Outcome outcome = answer.outcome();
            Refusal refusal = outcome.refusal();
            out.putInt(Codes.OUTCOME.of(outcome.kind()));
            out.putInt(refusal == null ? -1 : Codes.REFUSAL.of(refusal));
            out.putLong(outcome.number());
            out.putString(outcome.detail());
        });
        out.putInt(audit.size());
        for (AuditRecord line : audit) {
            out.putLong(line.at());
            out.putLong(line.position());
            out.putString(line.actor());
            out.putString(line.change());
            out.putString(line.result());
        }
        OperationCodec.writeQuotas(quotas, out);
        // Where there is no limit it is as before there were any, so that older releases read it.
        if (keep.isBounded()) {
            out.putLong(keep.bytes());
        }
        return out.toByteArray();
    }

    static Particulars decode(byte[] encoded) {
        StateReader in = new StateReader(encoded);
        List<String> resources = OperationCodec.list(in, in::getString);
        List<String> pooled = OperationCodec.list(in, in::getString);
        List<String> sites = OperationCodec.list(in, in::getString);
        List<RequestType> types = OperationCodec.readTypes(in);
        long keepNanos = in.getLong();
        long nextNumber = in.getLong();
        long digest = in.getLong();
        Map<String, KeptAnswer> answers = answers(in);
        List<AuditRecord> audit = audit(in);
        SortedMap<String, Quota> quotas = OperationCodec.readQuotas(in);
        Retention keep = new Retention(keepNanos, in.atEnd() ? Retention.ALL : in.getLong());
        return new Particulars(resources, pooled, sites, types, keep, nextNumber, digest, answers, audit, quotas);
    }

    private static Map<String, KeptAnswer> answers(StateReader in) {
        Map<String, KeptAnswer> answers = new LinkedHashMap<>();
        for (int n = in.getInt(); n > 0; n--) {
            String id = in.getString();
            long at = in.getLong();
            long fingerprint = in.getLong();
            Outcome.Kind kind = Codes.OUTCOME.at(in.getInt());
            int refusal = in.getInt();
            answers.put(
                    id,
                    new KeptAnswer(
                            at, fingerprint, new Outcome(kind, null, refusal(refusal), in.getLong(), in.getString())));
        }
        return answers;
    }

    private static @Nullable Refusal refusal(int code) {
        return code < 0 ? null : Codes.REFUSAL.at(code);
    }

    private static List<AuditRecord> audit(StateReader in) {
        List<AuditRecord> audit = new ArrayList<>();
        for (int n = in.getInt(); n > 0; n--) {
            audit.add(new AuditRecord(in.getLong(), in.getLong(), in.getString(), in.getString(), in.getString()));
        }
        return audit;
    }
}
