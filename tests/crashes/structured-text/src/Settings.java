package config;

import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** Settings from a text such as {@code <server><port number="80"/></server>}. */
public class Settings {
    private final Element root;

    public Settings(String text) throws Exception {
        Document document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(text)));
        root = document.getDocumentElement();
    }

    public int port() {
        if (!root.getTagName().equals("server")) {
            throw new IllegalStateException("no server");
        }
        if (root.getElementsByTagName("port").getLength() == 0) {
            return 80;
        }
        return number((Element) root.getElementsByTagName("port").item(0));
    }

    /** The bug: a port may have no number. */
    private static int number(Element port) {
        return Integer.parseInt(port.getAttributes().getNamedItem("number").getNodeValue());
    }
}
