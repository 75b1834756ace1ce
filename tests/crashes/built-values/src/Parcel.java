package parcels;

/** A parcel, which only its builder can make. */
public final class Parcel {
    final Label label;
    final int weight;

    private Parcel(Builder builder) {
        label = builder.label;
        weight = builder.weight;
    }

    /** Puts a parcel together. */
    public static final class Builder {
        private Label label;
        private int weight;

        private Builder() {}

        public static Builder parcel() {
            return new Builder();
        }

        public Builder label(Label label) {
            this.label = label;
            return this;
        }

        public Builder weight(int weight) {
            this.weight = weight;
            return this;
        }

        public Parcel build() {
            return new Parcel(this);
        }
    }
}
