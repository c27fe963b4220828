package hosts;

import java.util.SplittableRandom;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;

/** Indexes and searches texts in memory, at full speed on one thread; an operation is a document. Arguments: seconds of learning, seconds counted. */
final class LuceneHost {
    private static final int BATCH = 500;
    private static final int WORDS = 20_000;

    private LuceneHost() { }

    public static void main(String[] arguments) throws Exception {
        Tools.start();
        SplittableRandom random = new SplittableRandom(7);
        Phases.run(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), () -> batch(random));
    }

    private static long batch(SplittableRandom random) throws Exception {
        try (ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
            try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
                for (int i = 0; i < BATCH; i++) {
                    Document document = new Document();
                    document.add(new StringField("id", Integer.toString(i), Field.Store.YES));
                    document.add(new TextField("text", text(random), Field.Store.NO));
                    writer.addDocument(document);
                }
            }
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                for (int i = 0; i < BATCH / 5; i++) {
                    searcher.search(new BooleanQuery.Builder().add(term(random), BooleanClause.Occur.SHOULD)
                            .add(term(random), BooleanClause.Occur.SHOULD).build(), 10);
                }
            }
        }
        return BATCH;
    }

    private static TermQuery term(SplittableRandom random) {
        return new TermQuery(new Term("text", word(random)));
    }

    private static String word(SplittableRandom random) {
        double skewed = random.nextDouble();
        return "w" + (int) (skewed * skewed * skewed * WORDS);
    }

    private static String text(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 60; i++) {
            text.append(word(random)).append(' ');
        }
        return text.toString();
    }
}
