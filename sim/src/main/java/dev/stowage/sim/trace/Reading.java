package dev.stowage.sim.trace;

import java.util.function.Supplier;

/**
 * What a format needs to start its mapping: where the columns are, the settings, the account of rows, and the rows once
 * more, from the first.
 */
record Reading(Layout layout, Settings settings, ReportBuilder report, Supplier<Rows> again) {
    /** Place of a column, or -1 where an optional one is absent. */
    int column(String name) {
        return layout.column(name);
    }

    String setting(String name) {
        return settings.get(name);
    }
}
