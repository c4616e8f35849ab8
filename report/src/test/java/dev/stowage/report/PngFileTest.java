package dev.stowage.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.util.Random;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class PngFileTest {
    /** Read by the JDK's reader: pictures that deflate well, and noise, which deflates to more than it was. */
    @Test
    void everyPixelIsReadBack() throws Exception {
        Random random = new Random(1);
        for (int[] size : new int[][] {{1, 1}, {7, 3}, {300, 200}}) {
            for (int colours : new int[] {1, 2, 1 << 24}) {
                BufferedImage image = new BufferedImage(size[0], size[1], BufferedImage.TYPE_INT_RGB);
                for (int i = 0; i < size[0] * size[1]; i++) {
                    image.setRGB(i % size[0], i / size[0], 0x123456 + random.nextInt(colours));
                }
                BufferedImage read = ImageIO.read(new ByteArrayInputStream(PngFile.of(image)));
                assertThat(read.getWidth()).isEqualTo(size[0]);
                assertThat(read.getHeight()).isEqualTo(size[1]);
                for (int i = 0; i < size[0] * size[1]; i++) {
                    int x = i % size[0];
                    int y = i / size[0];
                    assertThat(read.getRGB(x, y)).isEqualTo(image.getRGB(x, y));
                }
            }
        }
    }
}
