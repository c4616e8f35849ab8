package dev.stowage.cli.live;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.cli.text.BadInputException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ClientOptionsTest {
    @Test
    void filesAreAlsoNamedByTheEnvironment() {
        for (String variable : List.of("STOWAGE_AUTHORITY", "STOWAGE_CERTIFICATE", "STOWAGE_KEY")) {
            ClientOptions options = new ClientOptions().at("127.0.0.1:7411");
            options.environment = name -> name.equals(variable) ? " none.pem\n" : null;
            assertThatThrownBy(options::client)
                    .isInstanceOf(BadInputException.class)
                    .hasMessageStartingWith(variable + " none.pem: ");
            options.environment = name -> name.equals(variable) ? "a\0b" : null;
            assertThatThrownBy(options::client)
                    .isInstanceOf(BadInputException.class)
                    .hasMessageStartingWith(variable + ": ");
        }
        ClientOptions typed = new ClientOptions().at("127.0.0.1:7411");
        typed.authority = Path.of("typed.pem");
        typed.environment = name -> "none.pem";
        assertThatThrownBy(typed::client).hasMessageStartingWith("--authority typed.pem: ");
    }
}
