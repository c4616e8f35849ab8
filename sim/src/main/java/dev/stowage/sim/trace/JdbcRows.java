package dev.stowage.sim.trace;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;
import org.sqlite.SQLiteConfig;

/** Rows of a query: of Parquet files through DuckDB, or of an SQLite database. */
final class JdbcRows implements Rows {
    private static final int MOST_DECIMALS = 18;

    private final Path file;
    private final Connection connection;
    private final Statement statement;
    private final ResultSet result;
    private final List<String> header;
    /** By column: decimals of its numbers, or {@link Rows#TEXT}. */
    private final int[] decimals;

    private long row;
    /** The row and column of the number that was fetched last, whether there is one, and its digits. */
    private long fetchedRow = -1;

    private int fetchedColumn;
    private boolean fetchedNull;
    private long fetchedDigits;

    private JdbcRows(Path file, Connection connection, String sql) throws SQLException {
        this.file = file;
        this.connection = connection;
        this.statement = connection.createStatement();
        this.result = statement.executeQuery(sql);
        List<String> names = new ArrayList<>();
        ResultSetMetaData columns = result.getMetaData();
        decimals = new int[columns.getColumnCount()];
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            names.add(columns.getColumnLabel(i));
            decimals[i - 1] = decimals(columns, i, connection instanceof DuckDBConnection);
        }
        this.header = List.copyOf(names);
    }

    /** In SQLite values have types, not columns. */
    private static int decimals(ResultSetMetaData columns, int column, boolean typed) throws SQLException {
        return switch (typed ? columns.getColumnType(column) : Types.OTHER) {
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT -> 0;
            case Types.DECIMAL, Types.NUMERIC ->
                columns.getScale(column) <= MOST_DECIMALS ? columns.getScale(column) : TEXT;
            default -> TEXT;
        };
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
    public boolean blank(int column) {
        return decimals[column] == TEXT ? field(column).isBlank() : !fetch(column) && fetchedNull;
    }

    @Override
    public int decimals(int column) {
        return decimals[column] != TEXT && fetch(column) ? decimals[column] : TEXT;
    }

    @Override
    public long digits() {
        return fetchedDigits;
    }

    /** Whether there is a number, and its digits fit. */
    private boolean fetch(int column) {
        if (fetchedRow == row && fetchedColumn == column) {
            return !fetchedNull;
        }
        try {
            if (decimals[column] == 0) {
                long whole = result.getLong(column + 1);
                fetchedNull = result.wasNull();
                fetchedDigits = whole;
            } else {
                BigDecimal number = result.getBigDecimal(column + 1);
                fetchedNull = number == null;
                if (number != null) {
                    BigInteger all = number.unscaledValue();
                    if (number.scale() != decimals[column] || all.bitLength() >= Long.SIZE) {
                        return false;
                    }
                    fetchedDigits = all.longValue();
                }
            }
        } catch (SQLException e) {
            throw failed(e);
        }
        fetchedRow = row;
        fetchedColumn = column;
        return !fetchedNull;
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
