package clerk;

import java.io.OutputStream;
import java.security.spec.AlgorithmParameterSpec;
import javax.xml.crypto.Data;
import javax.xml.crypto.XMLCryptoContext;
import javax.xml.crypto.XMLStructure;
import javax.xml.crypto.dsig.TransformService;
import javax.xml.crypto.dsig.spec.TransformParameterSpec;
import vault.Vault;

public class Clerk extends TransformService {
    public static void main(String[] arguments) {
        System.out.println(new Vault().shelve(new Clerk(), 4));
    }

    @Override
    public void init(TransformParameterSpec parameters) {
    }

    @Override
    public void init(XMLStructure parent, XMLCryptoContext context) {
    }

    @Override
    public void marshalParams(XMLStructure parent, XMLCryptoContext context) {
    }

    @Override
    public AlgorithmParameterSpec getParameterSpec() {
        return null;
    }

    @Override
    public Data transform(Data data, XMLCryptoContext context) {
        return data;
    }

    @Override
    public Data transform(Data data, XMLCryptoContext context, OutputStream stream) {
        return data;
    }

    @Override
    public boolean isFeatureSupported(String feature) {
        return false;
    }
}
