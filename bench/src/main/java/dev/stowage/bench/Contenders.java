package dev.stowage.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** All contenders on the class path; the others are compared with the first. */
final class Contenders {
    private Contenders() {}

    static List<Contender> all() {
        List<Contender> all = new ArrayList<>();
        all.add(StowageContender.of("best-fit"));
        all.add(StowageContender.memoryOnly("bf-js"));
        all.add(new ArrayLoop());
        for (ContenderSource source : ServiceLoader.load(ContenderSource.class)) {
            all.addAll(source.contenders());
        }
        return all;
    }
}
