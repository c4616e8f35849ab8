package dev.stowage.bench.peers;

import dev.stowage.bench.Contender;
import dev.stowage.bench.ContenderSource;
import java.util.List;

/** The other systems, each with the settings that its documentation names. */
public final class Peers implements ContenderSource {
    @Override
    public List<Contender> contenders() {
        return List.of(
                new CloudSimPlusPeer(), FenzoPeer.exact(1), FenzoPeer.exact(100), FenzoPeer.goodEnough(100));
    }
}
