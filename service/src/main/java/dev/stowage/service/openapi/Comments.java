package dev.stowage.service.openapi;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo.Location;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The comments of stowage.proto on calls, messages and fields, from the descriptors that the build keeps with them.
 */
final class Comments {
    private static final String FILE = "/META-INF/armeria/grpc/stowage.protobin";
    private static final String SOURCE = "stowage/v1/stowage.proto";

    /** By path in the file, as SourceCodeInfo of descriptor.proto defines it. */
    private final Map<List<Integer>, String> texts = new HashMap<>();

    Comments() {
        try (InputStream in = Comments.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException(FILE + " is missing; the build makes it");
            }
            FileDescriptorSet.parseFrom(in).getFileList().stream()
                    .filter(file -> file.getName().equals(SOURCE))
                    .forEach(this::read);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(FileDescriptorProto file) {
        for (Location location : file.getSourceCodeInfo().getLocationList()) {
            if (!location.getLeadingComments().isEmpty()) {
                texts.put(
                        location.getPathList(),
                        location.getLeadingComments().strip().replaceAll("\\s*\\n\\s*", " "));
            }
        }
    }

    String of(MethodDescriptor method) {
        return texts.getOrDefault(
                List.of(
                        FileDescriptorProto.SERVICE_FIELD_NUMBER,
                        method.getService().getIndex(),
                        ServiceDescriptorProto.METHOD_FIELD_NUMBER,
                        method.getIndex()),
                "");
    }

    String of(Descriptor message) {
        return texts.getOrDefault(List.of(FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER, message.getIndex()), "");
    }

    String of(FieldDescriptor field) {
        return texts.getOrDefault(
                List.of(
                        FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER,
                        field.getContainingType().getIndex(),
                        com.google.protobuf.DescriptorProtos.DescriptorProto.FIELD_FIELD_NUMBER,
                        field.getIndex()),
                "");
    }
}
