package hosts;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.SplittableRandom;

/** A mixed load on a database in memory, at full speed on one thread; an operation is a transaction. Arguments: seconds of learning, seconds counted. */
final class H2Host {
    private static final int ROWS = 100_000;
    private static final int BATCH = 50;

    private H2Host() { }

    public static void main(String[] arguments) throws Exception {
        Tools.start();
        SplittableRandom random = new SplittableRandom(11);
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:bench")) {
            connection.setAutoCommit(false);
            fill(connection);
            try (PreparedStatement update = connection.prepareStatement("update account set balance = balance + ? where id = ?");
                    PreparedStatement read = connection.prepareStatement("select name, balance from account where id between ? and ?");
                    PreparedStatement insert = connection.prepareStatement("insert into entry(account, amount, note) values(?, ?, ?)");
                    PreparedStatement prune = connection.prepareStatement("delete from entry where account = ?")) {
                Phases.run(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), () -> {
                    for (int i = 0; i < BATCH; i++) {
                        transaction(random, update, read, insert, prune);
                        connection.commit();
                    }
                    return BATCH;
                });
            }
        }
    }

    private static void transaction(SplittableRandom random, PreparedStatement update, PreparedStatement read, PreparedStatement insert,
                                    PreparedStatement prune) throws Exception {
        int id = random.nextInt(ROWS);
        update.setInt(1, random.nextInt(100) - 50);
        update.setInt(2, id);
        update.executeUpdate();
        read.setInt(1, id);
        read.setInt(2, id + 20);
        try (ResultSet rows = read.executeQuery()) {
            while (rows.next()) {
                rows.getString(1);
            }
        }
        prune.setInt(1, id % 1_000);
        prune.executeUpdate();
        for (int i = 0; i < 3; i++) {
            insert.setInt(1, id % 1_000);
            insert.setInt(2, i);
            insert.setString(3, "note " + id);
            insert.executeUpdate();
        }
    }

    private static void fill(Connection connection) throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table account(id int primary key, name varchar(40), balance int)");
            statement.execute("create table entry(id int auto_increment primary key, account int, amount int, note varchar(40))");
            statement.execute("create index entry_account on entry(account)");
        }
        try (PreparedStatement insert = connection.prepareStatement("insert into account values(?, ?, 0)")) {
            for (int i = 0; i < ROWS; i++) {
                insert.setInt(1, i);
                insert.setString(2, "account " + i);
                insert.addBatch();
                if (i % 1_000 == 999) {
                    insert.executeBatch();
                }
            }
        }
        connection.commit();
    }
}
