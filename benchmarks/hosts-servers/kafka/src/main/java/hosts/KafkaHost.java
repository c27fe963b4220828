package hosts;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A Kafka broker that is its own controller, a producer and a group of two consumers, over the loopback; an operation is a message sent. The log is kept short.
 * Arguments: seconds of learning, seconds counted.
 */
final class KafkaHost {
    private static final int BATCH = 10;
    private static final String TOPIC = "orders";
    private static final AtomicLong RECEIVED = new AtomicLong();
    private static final AtomicReference<Throwable> FAILURE = new AtomicReference<>();

    private KafkaHost() { }

    public static void main(String[] arguments) throws Exception {
        String servers = startBroker();
        for (int i = 0; i < 2; i++) {
            daemon("consumer-" + i, () -> consume(servers));
        }
        SplittableRandom random = new SplittableRandom(3);
        AtomicLong sent = new AtomicLong();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(Map.of("bootstrap.servers", servers, "linger.ms", "5"), new ByteArraySerializer(),
                new ByteArraySerializer())) {
            Phases.run(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), () -> {
                for (int i = 0; i < BATCH; i++) {
                    byte[] value = new byte[100 + random.nextInt(400)];
                    producer.send(new ProducerRecord<>(TOPIC, Long.toString(random.nextInt(1_000)).getBytes(), value), (metadata, failure) -> failed(failure));
                }
                sent.addAndGet(BATCH);
                if (FAILURE.get() != null) {
                    throw new IllegalStateException(FAILURE.get());
                }
                return BATCH;
            });
        }
        // The broker's own hook shuts it down.
        System.out.println("in all " + sent + " sent, " + RECEIVED + " received");
        System.exit(RECEIVED.get() > sent.get() / 2 ? 0 : 1);
    }

    private static String startBroker() throws Exception {
        Path directory = Files.createTempDirectory("kafka");
        String servers = "127.0.0.1:" + freePort();
        String controller = "127.0.0.1:" + freePort();
        Properties settings = new Properties();
        settings.putAll(Map.of("process.roles", "broker,controller", "node.id", "1", "controller.quorum.voters", "1@" + controller,
                "listeners", "PLAINTEXT://" + servers + ",CONTROLLER://" + controller, "controller.listener.names", "CONTROLLER",
                "advertised.listeners", "PLAINTEXT://" + servers, "log.dirs", directory.resolve("logs").toString()));
        settings.putAll(Map.of("offsets.topic.replication.factor", "1", "offsets.topic.num.partitions", "4", "transaction.state.log.replication.factor", "1",
                "transaction.state.log.min.isr", "1", "group.initial.rebalance.delay.ms", "0", "log.segment.bytes", "4194304", "log.retention.bytes", "16777216",
                "log.retention.check.interval.ms", "10000", "log.segment.delete.delay.ms", "1000"));
        Path file = directory.resolve("server.properties");
        try (var out = Files.newBufferedWriter(file)) {
            settings.store(out, null);
        }
        int status = kafka.tools.StorageTool.execute(new String[] {"format", "--config", file.toString(), "--cluster-id", Uuid.randomUuid().toString()}, System.out);
        if (status != 0) {
            throw new IllegalStateException("formatting failed with " + status);
        }
        daemon("broker", () -> kafka.Kafka.main(new String[] {file.toString()}));
        awaitTopic(servers);
        return servers;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static void awaitTopic(String servers) throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
        while (true) {
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers, "default.api.timeout.ms", "20000", "request.timeout.ms", "10000"))) {
                admin.createTopics(List.of(new NewTopic(TOPIC, 4, (short) 1))).all().get();
                return;
            } catch (java.util.concurrent.ExecutionException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
                Thread.sleep(500);
            }
        }
    }

    private static void consume(String servers) {
        Map<String, Object> settings = Map.of("bootstrap.servers", servers, "group.id", "billing", "auto.offset.reset", "earliest");
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(TOPIC));
            while (true) {
                ConsumerRecords<byte[], byte[]> records = consumer.poll(Duration.ofMillis(200));
                RECEIVED.addAndGet(records.count());
            }
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    private static void failed(Throwable failure) {
        if (failure != null) {
            FAILURE.compareAndSet(null, failure);
        }
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
