# SPDX-License-Identifier: MIT
"""What is inside a build that Marrow did not write: found in what the build really read, with versions and licences.

Debian's packages are found through the headers that the compiler opened and the archives that the linker took, sources
that the build compiled itself through the folder they lie in, npm's through the lock file of the viewer. One that is not
in the tables below stops the packaging: nothing is shipped whose licence nobody has looked at.
"""
import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOC = pathlib.Path("/usr/share/doc")

# Debian's package -> name, SPDX licence.
LICENCES = {
    "libpugixml-dev": ("pugixml", "MIT"),
    "libfmt-dev": ("fmt", "MIT"),
    "nlohmann-json3-dev": ("nlohmann-json", "MIT"),
    "libfast-float-dev": ("fast_float", "Apache-2.0 OR MIT"),
    "libtinygltf-dev": ("tinygltf", "MIT"),
    "libglm-dev": ("glm", "MIT"),
    "libstdc++-12-dev": ("libstdc++", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    "libgcc-12-dev": ("libgcc", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    # For Windows: the run-time libraries are linked in.
    "g++-mingw-w64-x86-64-posix": ("libstdc++ for Windows", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    "gcc-mingw-w64-x86-64-posix": ("libgcc for Windows", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    "mingw-w64-x86-64-dev": ("mingw-w64", "ZPL-2.1 AND MIT AND BSD-3-Clause"),
}
# Source package that a build compiles itself -> name, SPDX licence, file with its text.
SOURCES = {
    "qhull": ("qhull", "Qhull", "COPYING.txt"),
    "zlib": ("zlib", "Zlib", "LICENSE"),
    "lz4": ("LZ4", "BSD-2-Clause", "lib/LICENSE"),
    "pugixml": ("pugixml", "MIT", "LICENSE.md"),
    "musl": ("musl", "MIT", "COPYRIGHT"),
}
# The C library and the kernel's headers are the system's: they are used, not carried along.
OF_THE_SYSTEM = {"libc6-dev", "linux-libc-dev", "libc6"}
# A package with headers alone -> the one that has what is linked.
SAME_AS = {"mingw-w64-common": "mingw-w64-x86-64-dev"}
# What the page of the viewer has in it beside the above.
OF_THE_PAGE = {
    "wasi-libc": ("wasi-libc", "MIT AND Apache-2.0 WITH LLVM-exception"),
    "libc++-19-dev-wasm32": ("libc++", "Apache-2.0 WITH LLVM-exception"),
    "libc++abi-19-dev-wasm32": ("libc++abi", "Apache-2.0 WITH LLVM-exception"),
    "libclang-rt-19-dev-wasm32": ("compiler-rt", "Apache-2.0 WITH LLVM-exception"),
}


def printed(*words):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout


def debian_version(package):
    return printed("dpkg-query", "-W", "-f=${Version}", package)


def upstream(version):
    """Returns a Debian version without epoch and revision."""
    return re.sub(r"(\+(ds|dfsg)\d*)?-[^-]*$", "", re.sub(r"^\d+:", "", version))


def component(package, name, licence, version, texts, source):
    return {"package": package, "name": name, "licence": licence, "version": upstream(version), "source": source,
            "texts": [pathlib.Path(text) for text in texts]}


def debian(package, row):
    version = debian_version(package)
    return component(package, *row, version, [(DOC / package).resolve() / "copyright"],
                     f"pkg:deb/debian/{package}@{version}")


def files_read(build, commands):
    """Returns the files that the compiler opened for the objects that `commands` make."""
    objects = re.findall(r" -o (\S+\.(?:o|obj|gch))(?= )", commands)
    lines = printed("ninja", "-C", build, "-t", "deps", *objects).splitlines()
    return {build / line.strip() for line in lines if line.startswith("    ")}


def packages_of(paths):
    """Returns Debian's packages that own files; files that no package owns are left out."""
    resolved = sorted({str(pathlib.Path(path).resolve()) for path in paths})
    owned = [path for path in resolved if path.startswith("/usr/")]
    done = subprocess.run(["dpkg", "-S", *owned], capture_output=True, text=True).stdout
    found = {line.split(":")[0] for line in done.splitlines() if not line.startswith("diversion")}
    return {SAME_AS.get(package, package) for package in found}


def compiled(package, folder):
    """Returns the component of sources from Debian that the build compiled itself."""
    name, licence, text = SOURCES[package]
    version = next(folder.glob("*.dsc")).name.split("_")[1].removesuffix(".dsc")
    return component(package, name, licence, version, [folder / text], f"pkg:deb/debian/{package}@{version}?arch=source")


def of_build(build):
    """Returns the components of the program and the shared library, by name. Raises SystemExit for one that has no row."""
    build = build.resolve()
    commands = printed("ninja", "-C", build, "-t", "commands", "marrow_cli", "marrow_shared")
    read, sources = files_read(build, commands), build / "sources"
    found = packages_of(read | set(re.findall(r"(/usr/lib/\S+\.a)\b", commands))) - OF_THE_SYSTEM
    if "-static-libgcc" in commands and "gcc-mingw-w64-x86-64-posix" not in found:
        found.add("libgcc-12-dev")
    own = {path.relative_to(sources).parts[0] for path in read if path.is_relative_to(sources)}
    unknown = (found - set(LICENCES)) | (own - set(SOURCES))
    if unknown:
        raise SystemExit(f"no licence is known of {', '.join(sorted(unknown))}: add a row to scripts/packaging/components.py")
    out = [debian(package, LICENCES[package]) for package in found] + [compiled(each, sources / each) for each in own]
    return sorted(out, key=lambda each: each["name"].lower())


def of_page():
    """Returns the components that the viewer's page has beside those of the library."""
    lock = json.loads((ROOT / "viewer/package-lock.json").read_text())["packages"]
    out = []
    for name in json.loads((ROOT / "viewer/package.json").read_text())["dependencies"]:
        row = lock[f"node_modules/{name}"]
        out.append(component(name, name, row["license"], row["version"], [ROOT / f"viewer/node_modules/{name}/LICENSE"],
                             f"pkg:npm/{name}@{row['version']}"))
    return out + [debian(package, row) for package, row in OF_THE_PAGE.items()]




def licence_text(components):
    """Returns the licence of Marrow and the texts of all components."""
    parts = ["Marrow\n\n" + (ROOT / "LICENSE").read_text()]
    for each in components:
        texts = [text.read_text(errors="replace") for text in each["texts"] if text.exists()]
        if not texts:
            raise SystemExit(f"the licence of {each['name']} is not where it was: {each['texts']}")
        parts.append(f"{each['name']} {each['version']} ({each['licence']})\n\n" + "\n".join(texts))
    return ("\n" + "-" * 79 + "\n").join(part.rstrip() + "\n" for part in parts)


def sbom(version, commit, created, files):
    """Returns an SPDX 2.3 document: one package per file that is shipped, and what each contains.

    `files` maps the name of a file to its SHA-256 and its components.
    """
    packages, relations, seen = [], [], {}

    def add(identifier, **fields):
        packages.append({"SPDXID": identifier, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
                         "copyrightText": "NOASSERTION", **fields})

    for name, (digest, components) in sorted(files.items()):
        own = "SPDXRef-file-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)
        add(own, name=name, versionInfo=version, licenseConcluded="MIT", licenseDeclared="MIT",
            checksums=[{"algorithm": "SHA256", "checksumValue": digest}])
        relations.append(("SPDXRef-DOCUMENT", "DESCRIBES", own))
        for each in components:
            identifier = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", f"{each['name']}-{each['version']}")
            if identifier not in seen:
                seen[identifier] = each
                add(identifier, name=each["name"], versionInfo=each["version"], licenseConcluded=each["licence"],
                    licenseDeclared=each["licence"], externalRefs=[
                        {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": each["source"]}])
            relations.append((own, "CONTAINS", identifier))
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"marrow-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/marrow-{version}-{commit}",
        "creationInfo": {"created": created, "creators": ["Tool: marrow-make-packages"]},
        "packages": packages,
        "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b} for a, kind, b in relations],
    }, indent=2) + "\n"
