package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import dev.stowage.service.v1.StowageProto;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The numbers that the public protocol sends for fields and constants: one may be added, none may change or go, since
 * clients of today have them. After an addition {@code -Dstowage.protocol=write} writes the list anew.
 */
final class ProtocolNumbersTest {
    private static final Path PINNED =
            Path.of("src", "test", "resources", "dev", "stowage", "service", "api", "protocol.txt");

    @Test
    void noneChangesOrGoes() throws IOException {
        SortedSet<String> numbers = numbers(StowageProto.getDescriptor());
        if ("write".equals(System.getProperty("stowage.protocol"))) {
            Files.write(PINNED, numbers);
        }
        List<String> pinned = Files.readAllLines(PINNED);
        assertThat(pinned).hasSizeGreaterThan(150);
        assertThat(numbers).as("what clients of today have").containsAll(pinned);
        assertThat(pinned).as("what is pinned; write what was added").containsAll(numbers);
    }

    private static SortedSet<String> numbers(FileDescriptor file) {
        SortedSet<String> numbers = new TreeSet<>();
        file.getEnumTypes().forEach(each -> add(each, numbers));
        List<Descriptor> open = new ArrayList<>(file.getMessageTypes());
        while (!open.isEmpty()) {
            Descriptor message = open.remove(open.size() - 1);
            message.getNestedTypes().stream()
                    .filter(nested -> !nested.getOptions().getMapEntry())
                    .forEach(open::add);
            message.getEnumTypes().forEach(each -> add(each, numbers));
            message.getFields()
                    .forEach(field -> numbers.add(message.getFullName() + "." + field.getName() + " "
                            + field.getNumber() + " " + field.getType() + (field.isRepeated() ? " repeated" : "")));
        }
        return numbers;
    }

    private static void add(EnumDescriptor constants, SortedSet<String> numbers) {
        constants
                .getValues()
                .forEach(each -> numbers.add(constants.getFullName() + "." + each.getName() + " " + each.getNumber()));
    }
}
