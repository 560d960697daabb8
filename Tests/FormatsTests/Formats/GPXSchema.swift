/// The element rules of GPX 1.1 as a schema, written from the format's published documentation
/// (topografix.com/GPX/1/1): names, order, counts, types and ranges. The official schema file is
/// not distributed with Debian.
enum GPXSchema {
  static let text = """
    <?xml version="1.0"?>
    <xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"
        xmlns="http://www.topografix.com/GPX/1/1"
        targetNamespace="http://www.topografix.com/GPX/1/1" elementFormDefault="qualified">
      <xsd:element name="gpx"><xsd:complexType>
        <xsd:sequence>
          <xsd:element name="metadata" type="Metadata" minOccurs="0"/>
          <xsd:element name="wpt" type="Waypoint" minOccurs="0" maxOccurs="unbounded"/>
          <xsd:element name="rte" type="Route" minOccurs="0" maxOccurs="unbounded"/>
          <xsd:element name="trk" type="Track" minOccurs="0" maxOccurs="unbounded"/>
          <xsd:element name="extensions" type="Extensions" minOccurs="0"/>
        </xsd:sequence>
        <xsd:attribute name="version" type="xsd:string" use="required" fixed="1.1"/>
        <xsd:attribute name="creator" type="xsd:string" use="required"/>
      </xsd:complexType></xsd:element>
      <xsd:complexType name="Metadata"><xsd:sequence>
        <xsd:element name="name" type="xsd:string" minOccurs="0"/>
        <xsd:element name="desc" type="xsd:string" minOccurs="0"/>
        <xsd:element name="time" type="xsd:dateTime" minOccurs="0"/>
        <xsd:element name="keywords" type="xsd:string" minOccurs="0"/>
        <xsd:element name="bounds" type="Bounds" minOccurs="0"/>
        <xsd:element name="extensions" type="Extensions" minOccurs="0"/>
      </xsd:sequence></xsd:complexType>
      <xsd:complexType name="Bounds">
        <xsd:attribute name="minlat" type="Latitude" use="required"/>
        <xsd:attribute name="minlon" type="Longitude" use="required"/>
        <xsd:attribute name="maxlat" type="Latitude" use="required"/>
        <xsd:attribute name="maxlon" type="Longitude" use="required"/>
      </xsd:complexType>
      <xsd:complexType name="Waypoint">
        <xsd:sequence>
          <xsd:element name="ele" type="xsd:decimal" minOccurs="0"/>
          <xsd:element name="time" type="xsd:dateTime" minOccurs="0"/>
          <xsd:element name="magvar" type="Angle" minOccurs="0"/>
          <xsd:element name="geoidheight" type="xsd:decimal" minOccurs="0"/>
          <xsd:element name="name" type="xsd:string" minOccurs="0"/>
          <xsd:element name="cmt" type="xsd:string" minOccurs="0"/>
          <xsd:element name="desc" type="xsd:string" minOccurs="0"/>
          <xsd:element name="src" type="xsd:string" minOccurs="0"/>
          <xsd:element name="sym" type="xsd:string" minOccurs="0"/>
          <xsd:element name="type" type="xsd:string" minOccurs="0"/>
          <xsd:element name="fix" type="Fix" minOccurs="0"/>
          <xsd:element name="sat" type="xsd:nonNegativeInteger" minOccurs="0"/>
          <xsd:element name="hdop" type="xsd:decimal" minOccurs="0"/>
          <xsd:element name="vdop" type="xsd:decimal" minOccurs="0"/>
          <xsd:element name="pdop" type="xsd:decimal" minOccurs="0"/>
          <xsd:element name="ageofdgpsdata" type="xsd:decimal" minOccurs="0"/>
          <xsd:element name="extensions" type="Extensions" minOccurs="0"/>
        </xsd:sequence>
        <xsd:attribute name="lat" type="Latitude" use="required"/>
        <xsd:attribute name="lon" type="Longitude" use="required"/>
      </xsd:complexType>
      <xsd:complexType name="Route"><xsd:sequence>
        <xsd:element name="name" type="xsd:string" minOccurs="0"/>
        <xsd:element name="rtept" type="Waypoint" minOccurs="0" maxOccurs="unbounded"/>
      </xsd:sequence></xsd:complexType>
      <xsd:complexType name="Track"><xsd:sequence>
        <xsd:element name="name" type="xsd:string" minOccurs="0"/>
        <xsd:element name="cmt" type="xsd:string" minOccurs="0"/>
        <xsd:element name="desc" type="xsd:string" minOccurs="0"/>
        <xsd:element name="src" type="xsd:string" minOccurs="0"/>
        <xsd:element name="number" type="xsd:nonNegativeInteger" minOccurs="0"/>
        <xsd:element name="type" type="xsd:string" minOccurs="0"/>
        <xsd:element name="extensions" type="Extensions" minOccurs="0"/>
        <xsd:element name="trkseg" type="Segment" minOccurs="0" maxOccurs="unbounded"/>
      </xsd:sequence></xsd:complexType>
      <xsd:complexType name="Segment"><xsd:sequence>
        <xsd:element name="trkpt" type="Waypoint" minOccurs="0" maxOccurs="unbounded"/>
        <xsd:element name="extensions" type="Extensions" minOccurs="0"/>
      </xsd:sequence></xsd:complexType>
      <xsd:complexType name="Extensions"><xsd:sequence>
        <xsd:any namespace="##other" processContents="lax" minOccurs="0" maxOccurs="unbounded"/>
      </xsd:sequence></xsd:complexType>
      <xsd:simpleType name="Latitude"><xsd:restriction base="xsd:decimal">
        <xsd:minInclusive value="-90.0"/><xsd:maxInclusive value="90.0"/>
      </xsd:restriction></xsd:simpleType>
      <xsd:simpleType name="Longitude"><xsd:restriction base="xsd:decimal">
        <xsd:minInclusive value="-180.0"/><xsd:maxExclusive value="180.0"/>
      </xsd:restriction></xsd:simpleType>
      <xsd:simpleType name="Angle"><xsd:restriction base="xsd:decimal">
        <xsd:minInclusive value="0.0"/><xsd:maxExclusive value="360.0"/>
      </xsd:restriction></xsd:simpleType>
      <xsd:simpleType name="Fix"><xsd:restriction base="xsd:string">
        <xsd:enumeration value="none"/><xsd:enumeration value="2d"/>
        <xsd:enumeration value="3d"/><xsd:enumeration value="dgps"/>
        <xsd:enumeration value="pps"/>
      </xsd:restriction></xsd:simpleType>
    </xsd:schema>
    """
}
