"""The manifest, and whether its files are there as it says."""

import json

import pyarrow as pa
import pyarrow.parquet as pq

from planted_faults.planting import edit_manifest, fault, good


@fault("manifest-schema", file="datapackage.json")
def the_manifest_tells_the_seed(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest["minv"].update(seed=1))


@fault("manifest-schema", file="datapackage.json")
def the_manifest_tells_a_title(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest.update(title="patients"))


@fault("manifest-schema", file="datapackage.json")
def the_manifest_lacks_its_software(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest["minv"].pop("software"))


@fault("manifest-schema", file="datapackage.json")
def the_manifest_is_unsorted(b, root):
    good(b, root)
    manifest = b.read_manifest(root)
    path = root / "public" / "datapackage.json"
    path.write_text(json.dumps(dict(reversed(manifest.items()))))


@fault("manifest-schema", file="datapackage.json")
def a_release_is_numbered_wrongly(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest["resources"][1]["minv"].update(release=3))


@fault("manifest-schema", file="datapackage.json")
def a_resource_tells_its_timings(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest["resources"][1]["minv"].update(seconds=3))


@fault("checksums", release=1, file="release-0001.csv")
def a_file_is_changed_after_publication(b, root):
    good(b, root, release_format="csv")
    path = root / "public" / "release-0001.csv"
    path.write_bytes(path.read_bytes().replace(b'"1"', b'"1"').replace(b"\n", b"\r\n"))


@fault("checksums", release=2)
def a_checksum_is_changed(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest["resources"][1].update(hash="sha256:" + "0" * 64))


@fault("checksums", release=2)
def a_size_is_changed(b, root):
    good(b, root)
    edit_manifest(b, root, lambda manifest: manifest["resources"][1].update(bytes=5))


@fault("releases-readable", "checksums", release=2)
def a_release_is_cut_short(b, root):
    good(b, root)
    path = root / "public" / "release-0002.parquet"
    path.write_bytes(path.read_bytes()[:-10])


@fault("releases-readable", "checksums", release=2)
def a_release_is_missing(b, root):
    good(b, root)
    (root / "public" / "release-0002.parquet").unlink()


@fault("releases-readable", release=1)
def a_release_has_a_nested_column(b, root):
    good(b, root)
    path = root / "public" / "release-0001.parquet"
    table = pq.read_table(path)
    place = table.column_names.index("sex")
    pq.write_table(table.set_column(place, "sex", pa.array([["x"]] * table.num_rows)), path)
    b.restamp(root, 1)
