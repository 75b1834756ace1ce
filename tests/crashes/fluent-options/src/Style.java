package ledger;

/** How a ledger is printed. Styles never change: each method yields another style. */
public final class Style {
    public static final Style PLAIN = new Style();

    private boolean ruledTitle;
    private boolean ruledHeader;
    private boolean ruledFooter;
    private boolean ruledMargin;
    private boolean ruledTotal;
    private boolean ruledEntry;
    private boolean ruledColumn;
    private boolean ruledAmount;
    private boolean ruledNote;
    private boolean ruledCell;
    private boolean ruledPage;
    private boolean ruledSheet;
    private boolean framedTitle;
    private boolean framedHeader;
    private boolean framedFooter;
    private boolean framedMargin;
    private boolean framedTotal;
    private boolean framedEntry;
    private boolean framedColumn;
    private boolean framedAmount;
    private boolean framedNote;
    private boolean framedCell;
    private boolean framedPage;
    private boolean framedSheet;
    private boolean numberedTitle;
    private boolean numberedHeader;
    private boolean numberedFooter;
    private boolean numberedMargin;
    private boolean numberedTotal;
    private boolean numberedEntry;
    private boolean numberedColumn;
    private boolean numberedAmount;
    private boolean numberedNote;
    private boolean numberedCell;
    private boolean numberedPage;
    private boolean numberedSheet;
    private boolean datedTitle;
    private boolean datedHeader;
    private boolean datedFooter;
    private boolean datedMargin;
    private boolean datedTotal;
    private boolean datedEntry;
    private boolean datedColumn;
    private boolean datedAmount;
    private boolean datedNote;
    private boolean datedCell;
    private boolean datedPage;
    private boolean datedSheet;
    private boolean signedTitle;
    private boolean signedHeader;
    private boolean signedFooter;
    private boolean signedMargin;
    private boolean signedTotal;
    private boolean signedEntry;
    private boolean signedColumn;
    private boolean signedAmount;
    private boolean signedNote;
    private boolean signedCell;
    private boolean signedPage;
    private boolean signedSheet;
    private boolean foldedTitle;
    private boolean foldedHeader;
    private boolean foldedFooter;
    private boolean foldedMargin;
    private boolean foldedTotal;
    private boolean foldedEntry;
    private boolean foldedColumn;
    private boolean foldedAmount;
    private boolean foldedNote;
    private boolean foldedCell;
    private boolean foldedPage;
    private boolean foldedSheet;
    private boolean shadedTitle;
    private boolean shadedHeader;
    private boolean shadedFooter;
    private boolean shadedMargin;
    private boolean shadedTotal;
    private boolean shadedEntry;
    private boolean shadedColumn;
    private boolean shadedAmount;
    private boolean shadedNote;
    private boolean shadedCell;
    private boolean shadedPage;
    private boolean shadedSheet;
    private boolean boldTitle;
    private boolean boldHeader;
    private boolean boldFooter;
    private boolean boldMargin;
    private boolean boldTotal;
    private boolean boldEntry;
    private boolean boldColumn;
    private boolean boldAmount;
    private boolean boldNote;
    private boolean boldCell;
    private boolean boldPage;
    private boolean boldSheet;
    private boolean slantedTitle;
    private boolean slantedHeader;
    private boolean slantedFooter;
    private boolean slantedMargin;
    private boolean slantedTotal;
    private boolean slantedEntry;
    private boolean slantedColumn;
    private boolean slantedAmount;
    private boolean slantedNote;
    private boolean slantedCell;
    private boolean slantedPage;
    private boolean slantedSheet;
    private boolean spacedTitle;
    private boolean spacedHeader;
    private boolean spacedFooter;
    private boolean spacedMargin;
    private boolean spacedTotal;
    private boolean spacedEntry;
    private boolean spacedColumn;
    private boolean spacedAmount;
    private boolean spacedNote;
    private boolean spacedCell;
    private boolean spacedPage;
    private boolean spacedSheet;
    private int widthTop;
    private int heightTop;
    private int indentTop;
    private int gapTop;
    private int offsetTop;
    private int depthTop;
    private int rowsTop;
    private int columnsTop;
    private int digitsTop;
    private int tabsTop;
    private int widthLeft;
    private int heightLeft;
    private int indentLeft;
    private int gapLeft;
    private int offsetLeft;
    private int depthLeft;
    private int rowsLeft;
    private int columnsLeft;
    private int digitsLeft;
    private int tabsLeft;
    private int widthInner;
    private int heightInner;
    private int indentInner;
    private int gapInner;
    private int offsetInner;
    private int depthInner;
    private int rowsInner;
    private int columnsInner;
    private int digitsInner;
    private int tabsInner;

    private Style() {}

    private Style copy() {
        Style copy = new Style();
        copy.ruledTitle = ruledTitle;
        copy.ruledHeader = ruledHeader;
        copy.ruledFooter = ruledFooter;
        copy.ruledMargin = ruledMargin;
        copy.ruledTotal = ruledTotal;
        copy.ruledEntry = ruledEntry;
        copy.ruledColumn = ruledColumn;
        copy.ruledAmount = ruledAmount;
        copy.ruledNote = ruledNote;
        copy.ruledCell = ruledCell;
        copy.ruledPage = ruledPage;
        copy.ruledSheet = ruledSheet;
        copy.framedTitle = framedTitle;
        copy.framedHeader = framedHeader;
        copy.framedFooter = framedFooter;
        copy.framedMargin = framedMargin;
        copy.framedTotal = framedTotal;
        copy.framedEntry = framedEntry;
        copy.framedColumn = framedColumn;
        copy.framedAmount = framedAmount;
        copy.framedNote = framedNote;
        copy.framedCell = framedCell;
        copy.framedPage = framedPage;
        copy.framedSheet = framedSheet;
        copy.numberedTitle = numberedTitle;
        copy.numberedHeader = numberedHeader;
        copy.numberedFooter = numberedFooter;
        copy.numberedMargin = numberedMargin;
        copy.numberedTotal = numberedTotal;
        copy.numberedEntry = numberedEntry;
        copy.numberedColumn = numberedColumn;
        copy.numberedAmount = numberedAmount;
        copy.numberedNote = numberedNote;
        copy.numberedCell = numberedCell;
        copy.numberedPage = numberedPage;
        copy.numberedSheet = numberedSheet;
        copy.datedTitle = datedTitle;
        copy.datedHeader = datedHeader;
        copy.datedFooter = datedFooter;
        copy.datedMargin = datedMargin;
        copy.datedTotal = datedTotal;
        copy.datedEntry = datedEntry;
        copy.datedColumn = datedColumn;
        copy.datedAmount = datedAmount;
        copy.datedNote = datedNote;
        copy.datedCell = datedCell;
        copy.datedPage = datedPage;
        copy.datedSheet = datedSheet;
        copy.signedTitle = signedTitle;
        copy.signedHeader = signedHeader;
        copy.signedFooter = signedFooter;
        copy.signedMargin = signedMargin;
        copy.signedTotal = signedTotal;
        copy.signedEntry = signedEntry;
        copy.signedColumn = signedColumn;
        copy.signedAmount = signedAmount;
        copy.signedNote = signedNote;
        copy.signedCell = signedCell;
        copy.signedPage = signedPage;
        copy.signedSheet = signedSheet;
        copy.foldedTitle = foldedTitle;
        copy.foldedHeader = foldedHeader;
        copy.foldedFooter = foldedFooter;
        copy.foldedMargin = foldedMargin;
        copy.foldedTotal = foldedTotal;
        copy.foldedEntry = foldedEntry;
        copy.foldedColumn = foldedColumn;
        copy.foldedAmount = foldedAmount;
        copy.foldedNote = foldedNote;
        copy.foldedCell = foldedCell;
        copy.foldedPage = foldedPage;
        copy.foldedSheet = foldedSheet;
        copy.shadedTitle = shadedTitle;
        copy.shadedHeader = shadedHeader;
        copy.shadedFooter = shadedFooter;
        copy.shadedMargin = shadedMargin;
        copy.shadedTotal = shadedTotal;
        copy.shadedEntry = shadedEntry;
        copy.shadedColumn = shadedColumn;
        copy.shadedAmount = shadedAmount;
        copy.shadedNote = shadedNote;
        copy.shadedCell = shadedCell;
        copy.shadedPage = shadedPage;
        copy.shadedSheet = shadedSheet;
        copy.boldTitle = boldTitle;
        copy.boldHeader = boldHeader;
        copy.boldFooter = boldFooter;
        copy.boldMargin = boldMargin;
        copy.boldTotal = boldTotal;
        copy.boldEntry = boldEntry;
        copy.boldColumn = boldColumn;
        copy.boldAmount = boldAmount;
        copy.boldNote = boldNote;
        copy.boldCell = boldCell;
        copy.boldPage = boldPage;
        copy.boldSheet = boldSheet;
        copy.slantedTitle = slantedTitle;
        copy.slantedHeader = slantedHeader;
        copy.slantedFooter = slantedFooter;
        copy.slantedMargin = slantedMargin;
        copy.slantedTotal = slantedTotal;
        copy.slantedEntry = slantedEntry;
        copy.slantedColumn = slantedColumn;
        copy.slantedAmount = slantedAmount;
        copy.slantedNote = slantedNote;
        copy.slantedCell = slantedCell;
        copy.slantedPage = slantedPage;
        copy.slantedSheet = slantedSheet;
        copy.spacedTitle = spacedTitle;
        copy.spacedHeader = spacedHeader;
        copy.spacedFooter = spacedFooter;
        copy.spacedMargin = spacedMargin;
        copy.spacedTotal = spacedTotal;
        copy.spacedEntry = spacedEntry;
        copy.spacedColumn = spacedColumn;
        copy.spacedAmount = spacedAmount;
        copy.spacedNote = spacedNote;
        copy.spacedCell = spacedCell;
        copy.spacedPage = spacedPage;
        copy.spacedSheet = spacedSheet;
        copy.widthTop = widthTop;
        copy.heightTop = heightTop;
        copy.indentTop = indentTop;
        copy.gapTop = gapTop;
        copy.offsetTop = offsetTop;
        copy.depthTop = depthTop;
        copy.rowsTop = rowsTop;
        copy.columnsTop = columnsTop;
        copy.digitsTop = digitsTop;
        copy.tabsTop = tabsTop;
        copy.widthLeft = widthLeft;
        copy.heightLeft = heightLeft;
        copy.indentLeft = indentLeft;
        copy.gapLeft = gapLeft;
        copy.offsetLeft = offsetLeft;
        copy.depthLeft = depthLeft;
        copy.rowsLeft = rowsLeft;
        copy.columnsLeft = columnsLeft;
        copy.digitsLeft = digitsLeft;
        copy.tabsLeft = tabsLeft;
        copy.widthInner = widthInner;
        copy.heightInner = heightInner;
        copy.indentInner = indentInner;
        copy.gapInner = gapInner;
        copy.offsetInner = offsetInner;
        copy.depthInner = depthInner;
        copy.rowsInner = rowsInner;
        copy.columnsInner = columnsInner;
        copy.digitsInner = digitsInner;
        copy.tabsInner = tabsInner;
        return copy;
    }

    /** All that differs from a plain style. */
    String describe() {
        StringBuilder words = new StringBuilder();
        words.append(ruledTitle ? " ruledTitle" : "");
        words.append(ruledHeader ? " ruledHeader" : "");
        words.append(ruledFooter ? " ruledFooter" : "");
        words.append(ruledMargin ? " ruledMargin" : "");
        words.append(ruledTotal ? " ruledTotal" : "");
        words.append(ruledEntry ? " ruledEntry" : "");
        words.append(ruledColumn ? " ruledColumn" : "");
        words.append(ruledAmount ? " ruledAmount" : "");
        words.append(ruledNote ? " ruledNote" : "");
        words.append(ruledCell ? " ruledCell" : "");
        words.append(ruledPage ? " ruledPage" : "");
        words.append(ruledSheet ? " ruledSheet" : "");
        words.append(framedTitle ? " framedTitle" : "");
        words.append(framedHeader ? " framedHeader" : "");
        words.append(framedFooter ? " framedFooter" : "");
        words.append(framedMargin ? " framedMargin" : "");
        words.append(framedTotal ? " framedTotal" : "");
        words.append(framedEntry ? " framedEntry" : "");
        words.append(framedColumn ? " framedColumn" : "");
        words.append(framedAmount ? " framedAmount" : "");
        words.append(framedNote ? " framedNote" : "");
        words.append(framedCell ? " framedCell" : "");
        words.append(framedPage ? " framedPage" : "");
        words.append(framedSheet ? " framedSheet" : "");
        words.append(numberedTitle ? " numberedTitle" : "");
        words.append(numberedHeader ? " numberedHeader" : "");
        words.append(numberedFooter ? " numberedFooter" : "");
        words.append(numberedMargin ? " numberedMargin" : "");
        words.append(numberedTotal ? " numberedTotal" : "");
        words.append(numberedEntry ? " numberedEntry" : "");
        words.append(numberedColumn ? " numberedColumn" : "");
        words.append(numberedAmount ? " numberedAmount" : "");
        words.append(numberedNote ? " numberedNote" : "");
        words.append(numberedCell ? " numberedCell" : "");
        words.append(numberedPage ? " numberedPage" : "");
        words.append(numberedSheet ? " numberedSheet" : "");
        words.append(datedTitle ? " datedTitle" : "");
        words.append(datedHeader ? " datedHeader" : "");
        words.append(datedFooter ? " datedFooter" : "");
        words.append(datedMargin ? " datedMargin" : "");
        words.append(datedTotal ? " datedTotal" : "");
        words.append(datedEntry ? " datedEntry" : "");
        words.append(datedColumn ? " datedColumn" : "");
        words.append(datedAmount ? " datedAmount" : "");
        words.append(datedNote ? " datedNote" : "");
        words.append(datedCell ? " datedCell" : "");
        words.append(datedPage ? " datedPage" : "");
        words.append(datedSheet ? " datedSheet" : "");
        words.append(signedTitle ? " signedTitle" : "");
        words.append(signedHeader ? " signedHeader" : "");
        words.append(signedFooter ? " signedFooter" : "");
        words.append(signedMargin ? " signedMargin" : "");
        words.append(signedTotal ? " signedTotal" : "");
        words.append(signedEntry ? " signedEntry" : "");
        words.append(signedColumn ? " signedColumn" : "");
        words.append(signedAmount ? " signedAmount" : "");
        words.append(signedNote ? " signedNote" : "");
        words.append(signedCell ? " signedCell" : "");
        words.append(signedPage ? " signedPage" : "");
        words.append(signedSheet ? " signedSheet" : "");
        words.append(foldedTitle ? " foldedTitle" : "");
        words.append(foldedHeader ? " foldedHeader" : "");
        words.append(foldedFooter ? " foldedFooter" : "");
        words.append(foldedMargin ? " foldedMargin" : "");
        words.append(foldedTotal ? " foldedTotal" : "");
        words.append(foldedEntry ? " foldedEntry" : "");
        words.append(foldedColumn ? " foldedColumn" : "");
        words.append(foldedAmount ? " foldedAmount" : "");
        words.append(foldedNote ? " foldedNote" : "");
        words.append(foldedCell ? " foldedCell" : "");
        words.append(foldedPage ? " foldedPage" : "");
        words.append(foldedSheet ? " foldedSheet" : "");
        words.append(shadedTitle ? " shadedTitle" : "");
        words.append(shadedHeader ? " shadedHeader" : "");
        words.append(shadedFooter ? " shadedFooter" : "");
        words.append(shadedMargin ? " shadedMargin" : "");
        words.append(shadedTotal ? " shadedTotal" : "");
        words.append(shadedEntry ? " shadedEntry" : "");
        words.append(shadedColumn ? " shadedColumn" : "");
        words.append(shadedAmount ? " shadedAmount" : "");
        words.append(shadedNote ? " shadedNote" : "");
        words.append(shadedCell ? " shadedCell" : "");
        words.append(shadedPage ? " shadedPage" : "");
        words.append(shadedSheet ? " shadedSheet" : "");
        words.append(boldTitle ? " boldTitle" : "");
        words.append(boldHeader ? " boldHeader" : "");
        words.append(boldFooter ? " boldFooter" : "");
        words.append(boldMargin ? " boldMargin" : "");
        words.append(boldTotal ? " boldTotal" : "");
        words.append(boldEntry ? " boldEntry" : "");
        words.append(boldColumn ? " boldColumn" : "");
        words.append(boldAmount ? " boldAmount" : "");
        words.append(boldNote ? " boldNote" : "");
        words.append(boldCell ? " boldCell" : "");
        words.append(boldPage ? " boldPage" : "");
        words.append(boldSheet ? " boldSheet" : "");
        words.append(slantedTitle ? " slantedTitle" : "");
        words.append(slantedHeader ? " slantedHeader" : "");
        words.append(slantedFooter ? " slantedFooter" : "");
        words.append(slantedMargin ? " slantedMargin" : "");
        words.append(slantedTotal ? " slantedTotal" : "");
        words.append(slantedEntry ? " slantedEntry" : "");
        words.append(slantedColumn ? " slantedColumn" : "");
        words.append(slantedAmount ? " slantedAmount" : "");
        words.append(slantedNote ? " slantedNote" : "");
        words.append(slantedCell ? " slantedCell" : "");
        words.append(slantedPage ? " slantedPage" : "");
        words.append(slantedSheet ? " slantedSheet" : "");
        words.append(spacedTitle ? " spacedTitle" : "");
        words.append(spacedHeader ? " spacedHeader" : "");
        words.append(spacedFooter ? " spacedFooter" : "");
        words.append(spacedMargin ? " spacedMargin" : "");
        words.append(spacedTotal ? " spacedTotal" : "");
        words.append(spacedEntry ? " spacedEntry" : "");
        words.append(spacedColumn ? " spacedColumn" : "");
        words.append(spacedAmount ? " spacedAmount" : "");
        words.append(spacedNote ? " spacedNote" : "");
        words.append(spacedCell ? " spacedCell" : "");
        words.append(spacedPage ? " spacedPage" : "");
        words.append(spacedSheet ? " spacedSheet" : "");
        words.append(widthTop != 0 ? " widthTop" : "");
        words.append(heightTop != 0 ? " heightTop" : "");
        words.append(indentTop != 0 ? " indentTop" : "");
        words.append(gapTop != 0 ? " gapTop" : "");
        words.append(offsetTop != 0 ? " offsetTop" : "");
        words.append(depthTop != 0 ? " depthTop" : "");
        words.append(rowsTop != 0 ? " rowsTop" : "");
        words.append(columnsTop != 0 ? " columnsTop" : "");
        words.append(digitsTop != 0 ? " digitsTop" : "");
        words.append(tabsTop != 0 ? " tabsTop" : "");
        words.append(widthLeft != 0 ? " widthLeft" : "");
        words.append(heightLeft != 0 ? " heightLeft" : "");
        words.append(indentLeft != 0 ? " indentLeft" : "");
        words.append(gapLeft != 0 ? " gapLeft" : "");
        words.append(offsetLeft != 0 ? " offsetLeft" : "");
        words.append(depthLeft != 0 ? " depthLeft" : "");
        words.append(rowsLeft != 0 ? " rowsLeft" : "");
        words.append(columnsLeft != 0 ? " columnsLeft" : "");
        words.append(digitsLeft != 0 ? " digitsLeft" : "");
        words.append(tabsLeft != 0 ? " tabsLeft" : "");
        words.append(widthInner != 0 ? " widthInner" : "");
        words.append(heightInner != 0 ? " heightInner" : "");
        words.append(indentInner != 0 ? " indentInner" : "");
        words.append(gapInner != 0 ? " gapInner" : "");
        words.append(offsetInner != 0 ? " offsetInner" : "");
        words.append(depthInner != 0 ? " depthInner" : "");
        words.append(rowsInner != 0 ? " rowsInner" : "");
        words.append(columnsInner != 0 ? " columnsInner" : "");
        words.append(digitsInner != 0 ? " digitsInner" : "");
        words.append(tabsInner != 0 ? " tabsInner" : "");
        return words.toString();
    }

    boolean isFoldedEntry() {
        return foldedEntry;
    }

    int widthInner() {
        return widthInner;
    }

    public Style withRuledTitle(boolean ruledTitle) {
        Style copy = copy();
        copy.ruledTitle = ruledTitle;
        return copy;
    }

    public Style withRuledHeader(boolean ruledHeader) {
        Style copy = copy();
        copy.ruledHeader = ruledHeader;
        return copy;
    }

    public Style withRuledFooter(boolean ruledFooter) {
        Style copy = copy();
        copy.ruledFooter = ruledFooter;
        return copy;
    }

    public Style withRuledMargin(boolean ruledMargin) {
        Style copy = copy();
        copy.ruledMargin = ruledMargin;
        return copy;
    }

    public Style withRuledTotal(boolean ruledTotal) {
        Style copy = copy();
        copy.ruledTotal = ruledTotal;
        return copy;
    }

    public Style withRuledEntry(boolean ruledEntry) {
        Style copy = copy();
        copy.ruledEntry = ruledEntry;
        return copy;
    }

    public Style withRuledColumn(boolean ruledColumn) {
        Style copy = copy();
        copy.ruledColumn = ruledColumn;
        return copy;
    }

    public Style withRuledAmount(boolean ruledAmount) {
        Style copy = copy();
        copy.ruledAmount = ruledAmount;
        return copy;
    }

    public Style withRuledNote(boolean ruledNote) {
        Style copy = copy();
        copy.ruledNote = ruledNote;
        return copy;
    }

    public Style withRuledCell(boolean ruledCell) {
        Style copy = copy();
        copy.ruledCell = ruledCell;
        return copy;
    }

    public Style withRuledPage(boolean ruledPage) {
        Style copy = copy();
        copy.ruledPage = ruledPage;
        return copy;
    }

    public Style withRuledSheet(boolean ruledSheet) {
        Style copy = copy();
        copy.ruledSheet = ruledSheet;
        return copy;
    }

    public Style withFramedTitle(boolean framedTitle) {
        Style copy = copy();
        copy.framedTitle = framedTitle;
        return copy;
    }

    public Style withFramedHeader(boolean framedHeader) {
        Style copy = copy();
        copy.framedHeader = framedHeader;
        return copy;
    }

    public Style withFramedFooter(boolean framedFooter) {
        Style copy = copy();
        copy.framedFooter = framedFooter;
        return copy;
    }

    public Style withFramedMargin(boolean framedMargin) {
        Style copy = copy();
        copy.framedMargin = framedMargin;
        return copy;
    }

    public Style withFramedTotal(boolean framedTotal) {
        Style copy = copy();
        copy.framedTotal = framedTotal;
        return copy;
    }

    public Style withFramedEntry(boolean framedEntry) {
        Style copy = copy();
        copy.framedEntry = framedEntry;
        return copy;
    }

    public Style withFramedColumn(boolean framedColumn) {
        Style copy = copy();
        copy.framedColumn = framedColumn;
        return copy;
    }

    public Style withFramedAmount(boolean framedAmount) {
        Style copy = copy();
        copy.framedAmount = framedAmount;
        return copy;
    }

    public Style withFramedNote(boolean framedNote) {
        Style copy = copy();
        copy.framedNote = framedNote;
        return copy;
    }

    public Style withFramedCell(boolean framedCell) {
        Style copy = copy();
        copy.framedCell = framedCell;
        return copy;
    }

    public Style withFramedPage(boolean framedPage) {
        Style copy = copy();
        copy.framedPage = framedPage;
        return copy;
    }

    public Style withFramedSheet(boolean framedSheet) {
        Style copy = copy();
        copy.framedSheet = framedSheet;
        return copy;
    }

    public Style withNumberedTitle(boolean numberedTitle) {
        Style copy = copy();
        copy.numberedTitle = numberedTitle;
        return copy;
    }

    public Style withNumberedHeader(boolean numberedHeader) {
        Style copy = copy();
        copy.numberedHeader = numberedHeader;
        return copy;
    }

    public Style withNumberedFooter(boolean numberedFooter) {
        Style copy = copy();
        copy.numberedFooter = numberedFooter;
        return copy;
    }

    public Style withNumberedMargin(boolean numberedMargin) {
        Style copy = copy();
        copy.numberedMargin = numberedMargin;
        return copy;
    }

    public Style withNumberedTotal(boolean numberedTotal) {
        Style copy = copy();
        copy.numberedTotal = numberedTotal;
        return copy;
    }

    public Style withNumberedEntry(boolean numberedEntry) {
        Style copy = copy();
        copy.numberedEntry = numberedEntry;
        return copy;
    }

    public Style withNumberedColumn(boolean numberedColumn) {
        Style copy = copy();
        copy.numberedColumn = numberedColumn;
        return copy;
    }

    public Style withNumberedAmount(boolean numberedAmount) {
        Style copy = copy();
        copy.numberedAmount = numberedAmount;
        return copy;
    }

    public Style withNumberedNote(boolean numberedNote) {
        Style copy = copy();
        copy.numberedNote = numberedNote;
        return copy;
    }

    public Style withNumberedCell(boolean numberedCell) {
        Style copy = copy();
        copy.numberedCell = numberedCell;
        return copy;
    }

    public Style withNumberedPage(boolean numberedPage) {
        Style copy = copy();
        copy.numberedPage = numberedPage;
        return copy;
    }

    public Style withNumberedSheet(boolean numberedSheet) {
        Style copy = copy();
        copy.numberedSheet = numberedSheet;
        return copy;
    }

    public Style withDatedTitle(boolean datedTitle) {
        Style copy = copy();
        copy.datedTitle = datedTitle;
        return copy;
    }

    public Style withDatedHeader(boolean datedHeader) {
        Style copy = copy();
        copy.datedHeader = datedHeader;
        return copy;
    }

    public Style withDatedFooter(boolean datedFooter) {
        Style copy = copy();
        copy.datedFooter = datedFooter;
        return copy;
    }

    public Style withDatedMargin(boolean datedMargin) {
        Style copy = copy();
        copy.datedMargin = datedMargin;
        return copy;
    }

    public Style withDatedTotal(boolean datedTotal) {
        Style copy = copy();
        copy.datedTotal = datedTotal;
        return copy;
    }

    public Style withDatedEntry(boolean datedEntry) {
        Style copy = copy();
        copy.datedEntry = datedEntry;
        return copy;
    }

    public Style withDatedColumn(boolean datedColumn) {
        Style copy = copy();
        copy.datedColumn = datedColumn;
        return copy;
    }

    public Style withDatedAmount(boolean datedAmount) {
        Style copy = copy();
        copy.datedAmount = datedAmount;
        return copy;
    }

    public Style withDatedNote(boolean datedNote) {
        Style copy = copy();
        copy.datedNote = datedNote;
        return copy;
    }

    public Style withDatedCell(boolean datedCell) {
        Style copy = copy();
        copy.datedCell = datedCell;
        return copy;
    }

    public Style withDatedPage(boolean datedPage) {
        Style copy = copy();
        copy.datedPage = datedPage;
        return copy;
    }

    public Style withDatedSheet(boolean datedSheet) {
        Style copy = copy();
        copy.datedSheet = datedSheet;
        return copy;
    }

    public Style withSignedTitle(boolean signedTitle) {
        Style copy = copy();
        copy.signedTitle = signedTitle;
        return copy;
    }

    public Style withSignedHeader(boolean signedHeader) {
        Style copy = copy();
        copy.signedHeader = signedHeader;
        return copy;
    }

    public Style withSignedFooter(boolean signedFooter) {
        Style copy = copy();
        copy.signedFooter = signedFooter;
        return copy;
    }

    public Style withSignedMargin(boolean signedMargin) {
        Style copy = copy();
        copy.signedMargin = signedMargin;
        return copy;
    }

    public Style withSignedTotal(boolean signedTotal) {
        Style copy = copy();
        copy.signedTotal = signedTotal;
        return copy;
    }

    public Style withSignedEntry(boolean signedEntry) {
        Style copy = copy();
        copy.signedEntry = signedEntry;
        return copy;
    }

    public Style withSignedColumn(boolean signedColumn) {
        Style copy = copy();
        copy.signedColumn = signedColumn;
        return copy;
    }

    public Style withSignedAmount(boolean signedAmount) {
        Style copy = copy();
        copy.signedAmount = signedAmount;
        return copy;
    }

    public Style withSignedNote(boolean signedNote) {
        Style copy = copy();
        copy.signedNote = signedNote;
        return copy;
    }

    public Style withSignedCell(boolean signedCell) {
        Style copy = copy();
        copy.signedCell = signedCell;
        return copy;
    }

    public Style withSignedPage(boolean signedPage) {
        Style copy = copy();
        copy.signedPage = signedPage;
        return copy;
    }

    public Style withSignedSheet(boolean signedSheet) {
        Style copy = copy();
        copy.signedSheet = signedSheet;
        return copy;
    }

    public Style withFoldedTitle(boolean foldedTitle) {
        Style copy = copy();
        copy.foldedTitle = foldedTitle;
        return copy;
    }

    public Style withFoldedHeader(boolean foldedHeader) {
        Style copy = copy();
        copy.foldedHeader = foldedHeader;
        return copy;
    }

    public Style withFoldedFooter(boolean foldedFooter) {
        Style copy = copy();
        copy.foldedFooter = foldedFooter;
        return copy;
    }

    public Style withFoldedMargin(boolean foldedMargin) {
        Style copy = copy();
        copy.foldedMargin = foldedMargin;
        return copy;
    }

    public Style withFoldedTotal(boolean foldedTotal) {
        Style copy = copy();
        copy.foldedTotal = foldedTotal;
        return copy;
    }

    public Style withFoldedEntry(boolean foldedEntry) {
        Style copy = copy();
        copy.foldedEntry = foldedEntry;
        return copy;
    }

    public Style withFoldedColumn(boolean foldedColumn) {
        Style copy = copy();
        copy.foldedColumn = foldedColumn;
        return copy;
    }

    public Style withFoldedAmount(boolean foldedAmount) {
        Style copy = copy();
        copy.foldedAmount = foldedAmount;
        return copy;
    }

    public Style withFoldedNote(boolean foldedNote) {
        Style copy = copy();
        copy.foldedNote = foldedNote;
        return copy;
    }

    public Style withFoldedCell(boolean foldedCell) {
        Style copy = copy();
        copy.foldedCell = foldedCell;
        return copy;
    }

    public Style withFoldedPage(boolean foldedPage) {
        Style copy = copy();
        copy.foldedPage = foldedPage;
        return copy;
    }

    public Style withFoldedSheet(boolean foldedSheet) {
        Style copy = copy();
        copy.foldedSheet = foldedSheet;
        return copy;
    }

    public Style withShadedTitle(boolean shadedTitle) {
        Style copy = copy();
        copy.shadedTitle = shadedTitle;
        return copy;
    }

    public Style withShadedHeader(boolean shadedHeader) {
        Style copy = copy();
        copy.shadedHeader = shadedHeader;
        return copy;
    }

    public Style withShadedFooter(boolean shadedFooter) {
        Style copy = copy();
        copy.shadedFooter = shadedFooter;
        return copy;
    }

    public Style withShadedMargin(boolean shadedMargin) {
        Style copy = copy();
        copy.shadedMargin = shadedMargin;
        return copy;
    }

    public Style withShadedTotal(boolean shadedTotal) {
        Style copy = copy();
        copy.shadedTotal = shadedTotal;
        return copy;
    }

    public Style withShadedEntry(boolean shadedEntry) {
        Style copy = copy();
        copy.shadedEntry = shadedEntry;
        return copy;
    }

    public Style withShadedColumn(boolean shadedColumn) {
        Style copy = copy();
        copy.shadedColumn = shadedColumn;
        return copy;
    }

    public Style withShadedAmount(boolean shadedAmount) {
        Style copy = copy();
        copy.shadedAmount = shadedAmount;
        return copy;
    }

    public Style withShadedNote(boolean shadedNote) {
        Style copy = copy();
        copy.shadedNote = shadedNote;
        return copy;
    }

    public Style withShadedCell(boolean shadedCell) {
        Style copy = copy();
        copy.shadedCell = shadedCell;
        return copy;
    }

    public Style withShadedPage(boolean shadedPage) {
        Style copy = copy();
        copy.shadedPage = shadedPage;
        return copy;
    }

    public Style withShadedSheet(boolean shadedSheet) {
        Style copy = copy();
        copy.shadedSheet = shadedSheet;
        return copy;
    }

    public Style withBoldTitle(boolean boldTitle) {
        Style copy = copy();
        copy.boldTitle = boldTitle;
        return copy;
    }

    public Style withBoldHeader(boolean boldHeader) {
        Style copy = copy();
        copy.boldHeader = boldHeader;
        return copy;
    }

    public Style withBoldFooter(boolean boldFooter) {
        Style copy = copy();
        copy.boldFooter = boldFooter;
        return copy;
    }

    public Style withBoldMargin(boolean boldMargin) {
        Style copy = copy();
        copy.boldMargin = boldMargin;
        return copy;
    }

    public Style withBoldTotal(boolean boldTotal) {
        Style copy = copy();
        copy.boldTotal = boldTotal;
        return copy;
    }

    public Style withBoldEntry(boolean boldEntry) {
        Style copy = copy();
        copy.boldEntry = boldEntry;
        return copy;
    }

    public Style withBoldColumn(boolean boldColumn) {
        Style copy = copy();
        copy.boldColumn = boldColumn;
        return copy;
    }

    public Style withBoldAmount(boolean boldAmount) {
        Style copy = copy();
        copy.boldAmount = boldAmount;
        return copy;
    }

    public Style withBoldNote(boolean boldNote) {
        Style copy = copy();
        copy.boldNote = boldNote;
        return copy;
    }

    public Style withBoldCell(boolean boldCell) {
        Style copy = copy();
        copy.boldCell = boldCell;
        return copy;
    }

    public Style withBoldPage(boolean boldPage) {
        Style copy = copy();
        copy.boldPage = boldPage;
        return copy;
    }

    public Style withBoldSheet(boolean boldSheet) {
        Style copy = copy();
        copy.boldSheet = boldSheet;
        return copy;
    }

    public Style withSlantedTitle(boolean slantedTitle) {
        Style copy = copy();
        copy.slantedTitle = slantedTitle;
        return copy;
    }

    public Style withSlantedHeader(boolean slantedHeader) {
        Style copy = copy();
        copy.slantedHeader = slantedHeader;
        return copy;
    }

    public Style withSlantedFooter(boolean slantedFooter) {
        Style copy = copy();
        copy.slantedFooter = slantedFooter;
        return copy;
    }

    public Style withSlantedMargin(boolean slantedMargin) {
        Style copy = copy();
        copy.slantedMargin = slantedMargin;
        return copy;
    }

    public Style withSlantedTotal(boolean slantedTotal) {
        Style copy = copy();
        copy.slantedTotal = slantedTotal;
        return copy;
    }

    public Style withSlantedEntry(boolean slantedEntry) {
        Style copy = copy();
        copy.slantedEntry = slantedEntry;
        return copy;
    }

    public Style withSlantedColumn(boolean slantedColumn) {
        Style copy = copy();
        copy.slantedColumn = slantedColumn;
        return copy;
    }

    public Style withSlantedAmount(boolean slantedAmount) {
        Style copy = copy();
        copy.slantedAmount = slantedAmount;
        return copy;
    }

    public Style withSlantedNote(boolean slantedNote) {
        Style copy = copy();
        copy.slantedNote = slantedNote;
        return copy;
    }

    public Style withSlantedCell(boolean slantedCell) {
        Style copy = copy();
        copy.slantedCell = slantedCell;
        return copy;
    }

    public Style withSlantedPage(boolean slantedPage) {
        Style copy = copy();
        copy.slantedPage = slantedPage;
        return copy;
    }

    public Style withSlantedSheet(boolean slantedSheet) {
        Style copy = copy();
        copy.slantedSheet = slantedSheet;
        return copy;
    }

    public Style withSpacedTitle(boolean spacedTitle) {
        Style copy = copy();
        copy.spacedTitle = spacedTitle;
        return copy;
    }

    public Style withSpacedHeader(boolean spacedHeader) {
        Style copy = copy();
        copy.spacedHeader = spacedHeader;
        return copy;
    }

    public Style withSpacedFooter(boolean spacedFooter) {
        Style copy = copy();
        copy.spacedFooter = spacedFooter;
        return copy;
    }

    public Style withSpacedMargin(boolean spacedMargin) {
        Style copy = copy();
        copy.spacedMargin = spacedMargin;
        return copy;
    }

    public Style withSpacedTotal(boolean spacedTotal) {
        Style copy = copy();
        copy.spacedTotal = spacedTotal;
        return copy;
    }

    public Style withSpacedEntry(boolean spacedEntry) {
        Style copy = copy();
        copy.spacedEntry = spacedEntry;
        return copy;
    }

    public Style withSpacedColumn(boolean spacedColumn) {
        Style copy = copy();
        copy.spacedColumn = spacedColumn;
        return copy;
    }

    public Style withSpacedAmount(boolean spacedAmount) {
        Style copy = copy();
        copy.spacedAmount = spacedAmount;
        return copy;
    }

    public Style withSpacedNote(boolean spacedNote) {
        Style copy = copy();
        copy.spacedNote = spacedNote;
        return copy;
    }

    public Style withSpacedCell(boolean spacedCell) {
        Style copy = copy();
        copy.spacedCell = spacedCell;
        return copy;
    }

    public Style withSpacedPage(boolean spacedPage) {
        Style copy = copy();
        copy.spacedPage = spacedPage;
        return copy;
    }

    public Style withSpacedSheet(boolean spacedSheet) {
        Style copy = copy();
        copy.spacedSheet = spacedSheet;
        return copy;
    }

    public Style withWidthTop(int widthTop) {
        Style copy = copy();
        copy.widthTop = widthTop;
        return copy;
    }

    public Style withHeightTop(int heightTop) {
        Style copy = copy();
        copy.heightTop = heightTop;
        return copy;
    }

    public Style withIndentTop(int indentTop) {
        Style copy = copy();
        copy.indentTop = indentTop;
        return copy;
    }

    public Style withGapTop(int gapTop) {
        Style copy = copy();
        copy.gapTop = gapTop;
        return copy;
    }

    public Style withOffsetTop(int offsetTop) {
        Style copy = copy();
        copy.offsetTop = offsetTop;
        return copy;
    }

    public Style withDepthTop(int depthTop) {
        Style copy = copy();
        copy.depthTop = depthTop;
        return copy;
    }

    public Style withRowsTop(int rowsTop) {
        Style copy = copy();
        copy.rowsTop = rowsTop;
        return copy;
    }

    public Style withColumnsTop(int columnsTop) {
        Style copy = copy();
        copy.columnsTop = columnsTop;
        return copy;
    }

    public Style withDigitsTop(int digitsTop) {
        Style copy = copy();
        copy.digitsTop = digitsTop;
        return copy;
    }

    public Style withTabsTop(int tabsTop) {
        Style copy = copy();
        copy.tabsTop = tabsTop;
        return copy;
    }

    public Style withWidthLeft(int widthLeft) {
        Style copy = copy();
        copy.widthLeft = widthLeft;
        return copy;
    }

    public Style withHeightLeft(int heightLeft) {
        Style copy = copy();
        copy.heightLeft = heightLeft;
        return copy;
    }

    public Style withIndentLeft(int indentLeft) {
        Style copy = copy();
        copy.indentLeft = indentLeft;
        return copy;
    }

    public Style withGapLeft(int gapLeft) {
        Style copy = copy();
        copy.gapLeft = gapLeft;
        return copy;
    }

    public Style withOffsetLeft(int offsetLeft) {
        Style copy = copy();
        copy.offsetLeft = offsetLeft;
        return copy;
    }

    public Style withDepthLeft(int depthLeft) {
        Style copy = copy();
        copy.depthLeft = depthLeft;
        return copy;
    }

    public Style withRowsLeft(int rowsLeft) {
        Style copy = copy();
        copy.rowsLeft = rowsLeft;
        return copy;
    }

    public Style withColumnsLeft(int columnsLeft) {
        Style copy = copy();
        copy.columnsLeft = columnsLeft;
        return copy;
    }

    public Style withDigitsLeft(int digitsLeft) {
        Style copy = copy();
        copy.digitsLeft = digitsLeft;
        return copy;
    }

    public Style withTabsLeft(int tabsLeft) {
        Style copy = copy();
        copy.tabsLeft = tabsLeft;
        return copy;
    }

    public Style withWidthInner(int widthInner) {
        Style copy = copy();
        copy.widthInner = widthInner;
        return copy;
    }

    public Style withHeightInner(int heightInner) {
        Style copy = copy();
        copy.heightInner = heightInner;
        return copy;
    }

    public Style withIndentInner(int indentInner) {
        Style copy = copy();
        copy.indentInner = indentInner;
        return copy;
    }

    public Style withGapInner(int gapInner) {
        Style copy = copy();
        copy.gapInner = gapInner;
        return copy;
    }

    public Style withOffsetInner(int offsetInner) {
        Style copy = copy();
        copy.offsetInner = offsetInner;
        return copy;
    }

    public Style withDepthInner(int depthInner) {
        Style copy = copy();
        copy.depthInner = depthInner;
        return copy;
    }

    public Style withRowsInner(int rowsInner) {
        Style copy = copy();
        copy.rowsInner = rowsInner;
        return copy;
    }

    public Style withColumnsInner(int columnsInner) {
        Style copy = copy();
        copy.columnsInner = columnsInner;
        return copy;
    }

    public Style withDigitsInner(int digitsInner) {
        Style copy = copy();
        copy.digitsInner = digitsInner;
        return copy;
    }

    public Style withTabsInner(int tabsInner) {
        Style copy = copy();
        copy.tabsInner = tabsInner;
        return copy;
    }
}
