package io.holdfast.refchains;

/** Looks at the real objects of a chain that was just read: the value that stands beside a key, the element a node holds. */
final class ContainerReader {
    private static final String[] VALUE_FIELDS = {"value", "val", "item", "key", "referent"};

    private final HeapReader reader;

    ContainerReader(HeapReader reader) {
        this.reader = reader;
    }

    /** The value in the node that holds object {@code i} as its key; null if it says nothing. */
    Object valueBeside(TracedChain chain, int i) {
        Object node = chain.object(i - 1);
        return node == null ? null : held(node, 2);
    }

    /** The element in the last node of a chain that ends inside a collection; null if there is none. */
    Object elementOf(TracedChain chain, int container) {
        Object node = chain.length - 1 < container ? null : lastNode(chain);
        return node == null ? null : held(node, VALUE_FIELDS.length);
    }

    /** Where the last node of a chain that ends inside a collection has its element: position in the plan of the node's class, -1 if there is none. */
    int elementField(TracedChain chain) {
        Object node = lastNode(chain);
        return node == null ? -1 : field(node, VALUE_FIELDS.length);
    }

    private static Object lastNode(TracedChain chain) {
        ClassPlan plan = chain.plans[chain.length - 1];
        boolean node = plan.collectionInternal() && !plan.collection() && !plan.map() && plan.shape() != Shape.OBJECT_ARRAY;
        return node ? chain.object(chain.length - 1) : null;
    }

    private Object held(Object node, int fields) {
        int field = field(node, fields);
        return field < 0 ? null : reader.reference(node, reader.plan(node).offset(field));
    }

    private int field(Object node, int fields) {
        ClassPlan plan = reader.plan(node);
        for (int k = 0; k < fields; k++) {
            for (int i = 0; i < plan.fieldCount(); i++) {
                if (plan.field(i).equals(VALUE_FIELDS[k])) {
                    Object value = reader.reference(node, plan.offset(i));
                    if (value != null && value.getClass() != Object.class && value.getClass() != Boolean.class
                            && !reader.plan(value).collectionInternal()) {
                        return i;
                    }
                }
            }
        }
        return -1;
    }
}
