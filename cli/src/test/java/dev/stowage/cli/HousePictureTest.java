package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The picture of modules and packages in docs/architecture.md is the code's. After a change on purpose, {@code
 * -Dstowage.pictures=write} draws it anew; look at it before it is committed.
 */
final class HousePictureTest {
    private static final Path PICTURE = Path.of("..", "docs", "images", "modules.svg");

    @Test
    void thePictureIsTheCodes() throws IOException {
        String drawn = new HousePicture(StructureTest.sources("main")).svg();
        if ("write".equals(System.getProperty("stowage.pictures"))) {
            Files.writeString(PICTURE, drawn);
        }
        assertThat(drawn).contains(">core<").contains(">policies<").contains(">engine<");
        assertThat(Files.readString(PICTURE).replace("\r\n", "\n"))
                .as("docs/images/modules.svg; -Dstowage.pictures=write draws it anew")
                .isEqualTo(drawn);
    }

    @Test
    void theDocumentationShowsIt() throws IOException {
        assertThat(Files.readString(Path.of("..", "docs", "architecture.md"))).contains("](images/modules.svg)");
    }
}
