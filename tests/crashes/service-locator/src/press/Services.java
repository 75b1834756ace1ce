package press;

/** Where the parts of the program find each other. */
public final class Services {
    private static Registry registry;

    private Services() {
    }

    public static void install(Registry installed) {
        registry = installed;
    }

    @SuppressWarnings("unchecked")
    public static <T> T get(Class<T> kind) {
        if (registry == null) {
            throw new IllegalStateException("No registry is installed");
        }
        return (T) registry.find(kind.getName());
    }
}
