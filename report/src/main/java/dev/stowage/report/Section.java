package dev.stowage.report;

import java.util.List;

/** Figures under one heading of the report. */
record Section(String heading, List<Figure> figures) {}
