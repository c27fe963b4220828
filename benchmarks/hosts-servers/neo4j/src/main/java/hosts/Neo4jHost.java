package hosts;

import java.util.Map;
import java.util.SplittableRandom;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;
import org.neo4j.harness.Neo4j;
import org.neo4j.harness.Neo4jBuilders;

/**
 * A Neo4j database in the program: lookups, counts, and visits that are created and later deleted, so that it stays as large as it is; an operation is a query.
 * Arguments: seconds of learning, seconds counted.
 */
final class Neo4jHost {
    private static final int PEOPLE = 2_000;
    private static final int GROUPS = 50;
    private static final int VISITS = 500;

    private Neo4jHost() { }

    public static void main(String[] arguments) throws Exception {
        try (Neo4j neo4j = Neo4jBuilders.newInProcessBuilder().withDisabledServer().build()) {
            GraphDatabaseService database = neo4j.defaultDatabaseService();
            fill(database);
            SplittableRandom random = new SplittableRandom(9);
            long[] visits = {0};
            Phases.run(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), () -> {
                long person = random.nextInt(PEOPLE);
                switch (random.nextInt(5)) {
                    case 0, 1 -> query(database, "MATCH (p:Person {id: $id})-[:KNOWS]->(f) RETURN f.name ORDER BY f.name", Map.of("id", person));
                    case 2 -> query(database, "MATCH (p:Person {team: $team}) RETURN count(p)", Map.of("team", person % GROUPS));
                    case 3 -> query(database, "MATCH (p:Person {id: $id})<-[:OF]-(v:Visit) RETURN v.number, v.text LIMIT 10", Map.of("id", person));
                    default -> {
                        long number = visits[0]++;
                        query(database, "MATCH (p:Person {id: $id}) CREATE (:Visit {number: $number, text: $text})-[:OF]->(p)",
                                Map.of("id", person, "number", number, "text", "visit " + number));
                        query(database, "MATCH (v:Visit {number: $number}) DETACH DELETE v", Map.of("number", number - VISITS));
                        return 2;
                    }
                }
                return 1;
            });
        }
        System.exit(0);
    }

    private static void query(GraphDatabaseService database, String text, Map<String, Object> parameters) {
        try (Transaction transaction = database.beginTx()) {
            try (Result result = transaction.execute(text, parameters)) {
                while (result.hasNext()) {
                    result.next();
                }
            }
            transaction.commit();
        }
    }

    private static void fill(GraphDatabaseService database) {
        query(database, "CREATE INDEX person_id FOR (p:Person) ON (p.id)", Map.of());
        query(database, "CREATE INDEX person_team FOR (p:Person) ON (p.team)", Map.of());
        query(database, "CREATE INDEX visit_number FOR (v:Visit) ON (v.number)", Map.of());
        query(database, "CALL db.awaitIndexes(120)", Map.of());
        query(database, "UNWIND range(0, $people - 1) AS id CREATE (:Person {id: id, team: id % $teams, name: 'person ' + id})",
                Map.of("people", (long) PEOPLE, "teams", (long) GROUPS));
        query(database, "MATCH (p:Person) UNWIND range(1, 5) AS step MATCH (f:Person {id: (p.id + step * 7) % $people}) CREATE (p)-[:KNOWS]->(f)",
                Map.of("people", (long) PEOPLE));
    }
}
