# SPDX-License-Identifier: MIT
"""What is inside a build that Marrow did not write: found in what the build really read, with versions and licences.

Debian's packages are found through the headers that the compiler opened and the archives that the linker took; npm's
through the lock file of the viewer. A package that is not in the table below stops the packaging: nothing is shipped
whose licence nobody has looked at.
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
    "qhull": ("qhull", "Qhull"),
}
# The C library and the kernel's headers are the system's: they are used, not carried along.
OF_THE_SYSTEM = {"libc6-dev", "linux-libc-dev", "libc6"}
# What the page of the viewer has in it beside the above.
OF_THE_PAGE = {
    "wasi-libc": ("wasi-libc", "MIT AND Apache-2.0 WITH LLVM-exception"),
    "libc++-19-dev-wasm32": ("libc++", "Apache-2.0 WITH LLVM-exception"),
}
# What a program for Windows has in it beside the above.
OF_WINDOWS = {"mingw-w64-x86-64-dev": ("mingw-w64", "ZPL-2.1")}


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


def headers_read(build):
    """Returns the files outside the project that the compiler opened."""
    lines = printed("ninja", "-C", build, "-t", "deps").splitlines()
    return {line.strip() for line in lines if line.startswith("    /usr/")}


def packages_of(paths):
    """Returns Debian's packages that own files; files that no package owns are left out."""
    resolved = sorted({str(pathlib.Path(path).resolve()) for path in paths})
    done = subprocess.run(["dpkg", "-S", *resolved], capture_output=True, text=True).stdout
    return {line.split(":")[0] for line in done.splitlines() if not line.startswith("diversion")}


def of_build(build):
    """Returns the components of a native build, by name. Raises SystemExit for one that has no row."""
    found = packages_of(headers_read(build)) - OF_THE_SYSTEM
    commands = printed("ninja", "-C", build, "-t", "commands", "marrow_cli", "marrow_shared")
    found |= packages_of(re.findall(r"(/usr/lib/\S+\.a)\b", commands)) - OF_THE_SYSTEM
    found |= {"libgcc-12-dev"} if "-static-libgcc" in commands else set()
    unknown = found - set(LICENCES)
    if unknown:
        raise SystemExit(f"no licence is known of {', '.join(sorted(unknown))}: add a row to scripts/packaging/components.py")
    out = [debian(package, LICENCES[package]) for package in found]
    sources = build / "sources/qhull"
    if "libqhull_r" in commands:
        version = next(sources.glob("*.dsc")).name.split("_")[1].removesuffix(".dsc")
        out.append(component("qhull", *LICENCES["qhull"], version, [sources / "COPYING.txt"], f"pkg:deb/debian/qhull@{version}?arch=source"))
    return sorted(out, key=lambda each: each["name"].lower())


def of_page():
    """Returns the components that the viewer's page has beside those of the library."""
    lock = json.loads((ROOT / "viewer/package-lock.json").read_text())["packages"]
    out = []
    for name in json.loads((ROOT / "viewer/package.json").read_text())["dependencies"]:
        row = lock[f"node_modules/{name}"]
        out.append(component(name, name, row["license"], row["version"], [ROOT / f"viewer/node_modules/{name}/LICENSE"],
                             f"pkg:npm/{name}@{row['version']}"))
    return out + of_table(OF_THE_PAGE)


def of_windows():
    return of_table(OF_WINDOWS)


def of_table(table):
    return [debian(package, row) for package, row in table.items() if (DOC / package).exists()]


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
