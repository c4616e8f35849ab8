package dev.stowage.sim.unit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The units of one experiment from several directories of results, scanned once for missing units and for those that do
 * not belong together. Every file is read completely to check it; the measurements are read again when they are taken.
 */
public final class UnitCollection implements UnitSource {
    private final Map<UnitKey, Path> found = new TreeMap<>();
    private final List<UnitKey> missing = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private int shards;

    /**
     * Scans directories.
     *
     * @param results directories of results
     * @param expected all units of the experiment
     * @param stamps what they belong to, by point
     */
    public UnitCollection(List<Path> results, List<UnitKey> expected, List<UnitStamp> stamps) {
        List<UnitStore> stores = results.stream()
                .map(each -> new UnitStore(each, stamps, new UnitHeader.Dealing(0, ""), false))
                .toList();
        Set<Path> known = new HashSet<>();
        for (UnitKey key : expected) {
            List<String> damaged = new ArrayList<>();
            for (UnitStore store : stores) {
                known.add(store.file(key));
                look(store, key, damaged);
            }
            if (found.containsKey(key)) {
                damaged.forEach(text -> notes.add(text + "; another directory has it complete"));
            } else {
                problems.addAll(damaged);
                missing.add(key);
            }
        }
        for (Path directory : results) {
            for (Path file : UnitStore.files(directory)) {
                if (!known.contains(file)) {
                    problems.add(file + ": is not a unit of this experiment, which has no unit of this name");
                }
            }
        }
    }

    private void look(UnitStore store, UnitKey key, List<String> damaged) {
        Path file = store.file(key);
        if (!Files.exists(file)) {
            return;
        }
        try {
            byte[] bytes = UnitStore.bytes(file);
            UnitHeader header = UnitCodec.header(file.toString(), bytes);
            store.check(key, file.toString(), header);
            shards = Math.max(shards, header.dealing().shards());
            Path first = found.putIfAbsent(key, file);
            if (first != null && !UnitCodec.isSame(file.toString(), UnitStore.bytes(first), bytes)) {
                problems.add(file + ": differs from " + first + " of the same run (" + key
                        + "): one of the two machines is wrong. Repeat the run on a third, and delete the wrong unit");
            }
        } catch (DamagedUnitException e) {
            damaged.add(e.getMessage());
        } catch (UnitException e) {
            problems.add(e.getMessage());
        }
    }

    /** The units of which no directory has a complete file, in order. */
    public List<UnitKey> missing() {
        return List.copyOf(missing);
    }

    /** What cannot be merged: damaged and foreign units, and two that differ. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /** Notes for people, which do not prevent a merge. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /** Number of shards among which the units were distributed; 0 if unknown. */
    public int shards() {
        return shards;
    }

    @Override
    public void want(List<UnitKey> units) {
        List<UnitKey> absent =
                units.stream().filter(unit -> !found.containsKey(unit)).toList();
        if (!absent.isEmpty()) {
            throw new UnitException(absent.size() + " units are missing, the first is " + absent.get(0));
        }
    }

    @Override
    public FinishedRun take(UnitKey unit) {
        Path file = found.get(unit);
        if (file == null) {
            throw new UnitException("the unit of " + unit + " is missing");
        }
        return UnitCodec.decode(file.toString(), UnitStore.bytes(file));
    }
}
