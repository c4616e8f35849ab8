package dev.stowage.sim.trace;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.duckdb.DuckDBDriver;
import org.sqlite.SQLiteConfig;

/** Rows of a query: of Parquet files through DuckDB, or of an SQLite database. */
final class JdbcRows implements Rows {
    private final Path file;
    private final Connection connection;
    private final Statement statement;
    private final ResultSet result;
    private final List<String> header;
    private long row;

    private JdbcRows(Path file, Connection connection, String sql) throws SQLException {
        this.file = file;
        this.connection = connection;
        this.statement = connection.createStatement();
        this.result = statement.executeQuery(sql);
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
            names.add(result.getMetaData().getColumnLabel(i));
        }
        this.header = List.copyOf(names);
    }

    /** The rows of Parquet files, in file order. */
    static JdbcRows parquet(List<Path> files) {
        checkReadable(files);
        String list = files.stream()
                .map(file -> "'" + file.toString().replace("'", "''") + "'")
                .collect(Collectors.joining(", ", "[", "]"));
        Properties properties = new Properties();
        properties.setProperty(DuckDBDriver.JDBC_STREAM_RESULTS, "true");
        return open(
                files.get(0),
                () -> DriverManager.getConnection("jdbc:duckdb:", properties),
                "SELECT * FROM read_parquet(" + list + ")",
                "cannot be read as Parquet");
    }

    /** The rows of a query to an SQLite database. */
    static JdbcRows sqlite(Path file, String sql) {
        checkReadable(List.of(file));
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        return open(file, () -> config.createConnection("jdbc:sqlite:" + file), sql, "cannot be read as SQLite");
    }

    private static void checkReadable(List<Path> files) {
        for (Path file : files) {
            if (!Files.isReadable(file)) {
                throw TraceException.of(file, "not readable; check the path and its permissions");
            }
        }
    }

    private interface Connector {
        Connection connect() throws SQLException;
    }

    private static JdbcRows open(Path file, Connector connector, String sql, String problem) {
        try {
            Connection connection = connector.connect();
            try {
                return new JdbcRows(file, connection, sql);
            } catch (SQLException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            throw TraceException.of(file, problem + ": " + e.getMessage(), e);
        }
    }

    @Override
    public List<String> header() {
        return header;
    }

    @Override
    public boolean next() {
        try {
            row++;
            return result.next();
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    @Override
    public int fieldCount() {
        return header.size();
    }

    @Override
    public String field(int column) {
        try {
            String text = result.getString(column + 1);
            return text == null ? "" : text;
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private TraceException failed(SQLException e) {
        return TraceException.of(file, "row " + row + " cannot be read: " + e.getMessage(), e);
    }

    @Override
    public String file() {
        return file.toString();
    }

    @Override
    public long line() {
        return row;
    }

    @Override
    public void close() {
        try (connection) {
            statement.close();
        } catch (SQLException e) {
            throw TraceException.of(file, "cannot be closed: " + e.getMessage(), e);
        }
    }
}
