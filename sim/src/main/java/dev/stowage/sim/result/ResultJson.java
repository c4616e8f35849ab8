package dev.stowage.sim.result;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * How rows are written: numbers by Jackson's own writer, because {@code Double.toString} differs between JDK 17 and 19.
 */
final class ResultJson {
    private ResultJson() {}

    static JsonMapper mapper() {
        return JsonMapper.builder(JsonFactory.builder()
                        .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
                        .build())
                .build();
    }
}
