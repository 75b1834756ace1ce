package plant;

/** A belt that runs until it is told to halt. */
public class Conveyor {
    private String label = "";
    private String colour = "";
    private String owner = "";
    private String site = "";
    private String notes = "";
    private int width;
    private int height;
    private int length;
    private int price;
    private int weight;
    private boolean covered;
    private boolean heated;
    private boolean insured;
    private boolean painted;

    private Recipe recipe;
    private boolean primed;
    private boolean halted;

    public void setLabel(String label) {
        this.label = label;
    }

    public void setColour(String colour) {
        this.colour = colour;
    }

    public void setOwner(String owner) {
        this.owner = owner;
    }

    public void setSite(String site) {
        this.site = site;
    }

    public void setNotes(String notes) {
        this.notes = notes;
    }

    public void setWidth(int width) {
        this.width = width;
    }

    public void setHeight(int height) {
        this.height = height;
    }

    public void setLength(int length) {
        this.length = length;
    }

    public void setPrice(int price) {
        this.price = price;
    }

    public void setWeight(int weight) {
        this.weight = weight;
    }

    public void setCovered(boolean covered) {
        this.covered = covered;
    }

    public void setHeated(boolean heated) {
        this.heated = heated;
    }

    public void setInsured(boolean insured) {
        this.insured = insured;
    }

    public void setPainted(boolean painted) {
        this.painted = painted;
    }

    /** Comes first. */
    public void initialise(Recipe used) {
        recipe = used;
    }

    /** Comes second. */
    public void prime() {
        if (recipe == null) {
            throw new IllegalStateException("Initialise the belt first");
        }
        warmUp();
    }

    private void warmUp() {
        primed = true;
    }

    /** May come at any time. */
    public void halt() {
        halted = true;
    }

    /** Comes third. */
    public String run() {
        if (!primed) {
            throw new IllegalStateException("Prime the belt first");
        }
        int made = 0;
        do {
            made++;
        } while (!halted);
        return finish(made);
    }

    /** The bug: a recipe may be for nothing. */
    private String finish(int made) {
        return made / recipe.portions() + " portions";
    }

    @Override
    public String toString() {
        return label + colour + owner + site + notes + width + height + length + price + weight + covered + heated
                + insured + painted;
    }
}
