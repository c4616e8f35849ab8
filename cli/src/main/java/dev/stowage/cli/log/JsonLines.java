package dev.stowage.cli.log;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.StringJoiner;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/**
 * A log record as a line of JSON: time, level, logger, message, its fields, and an exception's stack trace or causes.
 */
final class JsonLines extends Formatter {
    @Override
    public String format(LogRecord record) {
        ObjectNode line = JsonNodeFactory.instance.objectNode();
        line.put("time", record.getInstant().toString());
        line.put("level", record.getLevel().getName());
        line.put("logger", record.getLoggerName());
        line.put("message", formatMessage(record));
        Object[] parameters = record.getParameters();
        if (parameters != null && parameters.length == 1 && parameters[0] instanceof Map<?, ?> fields) {
            fields.forEach((name, value) -> line.putPOJO(String.valueOf(name), value));
        }
        Throwable thrown = record.getThrown();
        if (thrown != null) {
            line.put("thrown", own(record) ? trace(thrown) : causes(thrown));
        }
        return line + "\n";
    }

    /** Where own code failed matters; a library that warns of a lost connection says enough with its causes. */
    private static boolean own(LogRecord record) {
        return String.valueOf(record.getLoggerName()).startsWith("dev.stowage")
                || record.getLevel().intValue() > Level.WARNING.intValue();
    }

    private static String trace(Throwable thrown) {
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }

    private static String causes(Throwable thrown) {
        StringJoiner causes = new StringJoiner("; caused by ");
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            causes.add(cause.toString());
        }
        return causes.toString();
    }
}
