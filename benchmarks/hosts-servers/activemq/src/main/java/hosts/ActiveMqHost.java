package hosts;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.broker.BrokerService;

/**
 * An ActiveMQ broker in memory, a producer and a listener on a queue, and now and then a client that connects, asks on a queue of its own and leaves; an operation
 * is a message sent. Arguments: seconds of learning, seconds counted.
 */
final class ActiveMqHost {
    private static final int BATCH = 10;
    private static final int BATCHES_PER_VISITOR = 20;

    private ActiveMqHost() { }

    public static void main(String[] arguments) throws Exception {
        BrokerService broker = new BrokerService();
        broker.setBrokerName("bench");
        broker.setPersistent(false);
        broker.setUseJmx(true);
        broker.getManagementContext().setCreateConnector(false);
        broker.start();
        broker.waitUntilStarted();
        ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory("vm://bench?create=false");
        AtomicLong received = new AtomicLong();
        SplittableRandom random = new SplittableRandom(13);
        long[] sent = {0, 0};
        try (Connection consuming = factory.createConnection(); Connection producing = factory.createConnection()) {
            Session in = consuming.createSession(false, Session.AUTO_ACKNOWLEDGE);
            in.createConsumer(in.createQueue("work")).setMessageListener(message -> received.incrementAndGet());
            consuming.start();
            producing.start();
            Session out = producing.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageProducer producer = out.createProducer(out.createQueue("work"));
            Phases.run(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), () -> {
                for (int i = 0; i < BATCH; i++) {
                    BytesMessage message = out.createBytesMessage();
                    message.writeBytes(new byte[100 + random.nextInt(400)]);
                    producer.send(message);
                }
                sent[0] += BATCH;
                if (++sent[1] % BATCHES_PER_VISITOR == 0) {
                    visit(factory);
                }
                return BATCH;
            });
        }
        broker.stop();
        System.out.println("in all " + sent[0] + " sent, " + received + " received");
        System.exit(received.get() > sent[0] / 2 ? 0 : 1);
    }

    private static void visit(ActiveMQConnectionFactory factory) throws JMSException {
        try (Connection connection = factory.createConnection()) {
            connection.start();
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            var answers = session.createTemporaryQueue();
            try (MessageConsumer consumer = session.createConsumer(answers)) {
                session.createProducer(answers).send(session.createTextMessage("anybody there?"));
                if (consumer.receive(10_000) == null) {
                    throw new IllegalStateException("no answer");
                }
            }
            answers.delete();
        }
    }
}
