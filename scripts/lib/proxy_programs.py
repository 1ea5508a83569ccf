"""The reverse proxies of scripts/proxies: how each is configured, started and reloaded.

The right configurations are those of Examples/Proxies, with the ports and paths of a run. A text that
is to be replaced and does not occur is an error, so that the table of replacements keeps up with the
files.
"""

from __future__ import annotations

import dataclasses
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess

root = pathlib.Path(__file__).resolve().parents[2]
examples = root / "Examples/Proxies"
smallest = root / "Tests/ProxyChecks/Smallest"


@dataclasses.dataclass
class Run:
    """One run of a proxy: its folder, its ports and its certificate."""

    folder: pathlib.Path
    port: int
    upstream: int
    certificate: pathlib.Path  # a PEM file with the certificate and the key
    silence: str | None  # replaces the long timeouts of the right configuration, in seconds
    spare: int  # a second port, for a proxy's own administration
    process: subprocess.Popen | None = None

    def write(self, name: str, text: str) -> pathlib.Path:
        path = self.folder / name
        path.write_text(text)
        return path

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def command(self, *words: object) -> None:
        subprocess.run([str(word) for word in words], check=True, capture_output=True, timeout=20)


def replaced(text: str, *pairs: tuple[str, object]) -> str:
    for old, new in pairs:
        if old not in text:
            raise SystemExit(f"error: '{old}' does not occur in this configuration:\n{text}")
        text = text.replace(old, str(new))
    return text


class Proxy:
    name: str
    packages: str
    program: str
    has_tls = True
    has_http2 = True
    reloads = True  # `False` where a reload needs a further program

    def right(self, run: Run) -> list[str]:
        """Writes the right configuration and returns the command that starts the proxy."""
        raise NotImplementedError

    def smallest(self, run: Run) -> list[str]:
        """Writes the smallest configuration and returns the command that starts the proxy."""
        raise NotImplementedError

    def reload(self, run: Run) -> None:
        """Makes the running proxy read its configuration again."""
        raise NotImplementedError

    def find(self) -> str | None:
        path = os.environ["PATH"] + ":/usr/sbin:/usr/local/sbin"
        return shutil.which(self.program, path=path)

    def is_installed(self) -> bool:
        return self.find() is not None


class Nginx(Proxy):
    name, packages, program = "nginx", "nginx-light", "nginx"

    def command(self, run: Run, site: str) -> list[str]:
        run.write("site.conf", site)
        run.write("nginx.conf", f"""
            pid {run.folder}/nginx.pid; daemon off; worker_processes 1;
            events {{ worker_connections 1024; }}
            http {{
              access_log off; client_body_temp_path body; proxy_temp_path proxy;
              fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
              include site.conf;
            }}""")
        return [self.find(), "-p", str(run.folder), "-c", "nginx.conf", "-e", f"{run.folder}/error.log"]

    def right(self, run):
        text = replaced(
            (examples / "nginx/graphql.conf").read_text(),
            ("listen 443", f"listen 127.0.0.1:{run.port}"), ("127.0.0.1:8000", f"127.0.0.1:{run.upstream}"),
            ("/etc/ssl/api.example.com.pem", run.certificate),
            ("/etc/ssl/api.example.com.key", run.certificate))  # fmt: skip
        return self.command(run, replaced(text, ("timeout 1h", f"timeout {run.silence}s")) if run.silence else text)

    def smallest(self, run):
        return self.command(run, replaced(
            (smallest / "nginx.conf").read_text(),
            ("listen 80", f"listen 127.0.0.1:{run.port}"), ("8000", run.upstream)))  # fmt: skip

    def reload(self, run):
        run.signal(signal.SIGHUP)


class HAProxy(Proxy):
    name, packages, program = "haproxy", "haproxy", "haproxy"

    def command(self, run: Run, text: str) -> list[str]:
        path = run.write("haproxy.cfg", text)
        return [self.find(), "-W", "-db", "-q", "-f", str(path)]

    def right(self, run):
        text = replaced(
            (examples / "haproxy/haproxy.cfg").read_text(),
            ("bind :443", f"bind 127.0.0.1:{run.port}"), ("127.0.0.1:8000", f"127.0.0.1:{run.upstream}"),
            ("/etc/ssl/api.example.com.pem", run.certificate))  # fmt: skip
        return self.command(run, replaced(text, (" 1h", f" {run.silence}s")) if run.silence else text)

    def smallest(self, run):
        return self.command(run, replaced(
            (smallest / "haproxy.cfg").read_text(),
            ("bind :80", f"bind 127.0.0.1:{run.port}"), ("8000", run.upstream)))  # fmt: skip

    def reload(self, run):
        run.signal(signal.SIGUSR2)


class Apache(Proxy):
    name, packages, program = "apache", "apache2", "apache2"

    def command(self, run: Run, site: str, protocols: str) -> list[str]:
        names = (
            "mpm_event authz_core proxy proxy_http rewrite ssl http2 socache_shmcb log_config unixd reqtimeout"
        ).split()
        modules = "\n".join(
            f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so"
            for name in names if pathlib.Path(f"/usr/lib/apache2/modules/mod_{name}.so").exists())  # fmt: skip
        path = run.write("apache.conf", f"""
ServerRoot {run.folder}
DefaultRuntimeDir {run.folder}
PidFile {run.folder}/apache.pid
ErrorLog {run.folder}/error.log
ServerName localhost
User www-data
Group www-data
{modules}
Timeout 300
RequestReadTimeout header=20-40,minrate=500 body=20,minrate=500
Listen 127.0.0.1:{run.port}
{site}""")
        return [self.find(), "-f", str(path), "-DFOREGROUND"]

    def right(self, run):
        text = replaced(
            (examples / "apache/graphql.conf").read_text(),
            ("*:443", f"*:{run.port}"), ("127.0.0.1:8000", f"127.0.0.1:{run.upstream}"),
            ("/etc/ssl/api.example.com.pem", run.certificate),
            ("/etc/ssl/api.example.com.key", run.certificate))  # fmt: skip
        if run.silence:
            text = replaced(text, ("timeout=3600", f"timeout={run.silence}"))
        return self.command(run, text, "h2 http/1.1")

    def smallest(self, run):
        text = (smallest / "apache.conf").read_text()
        return self.command(run, replaced(text, ("*:80", f"*:{run.port}"), ("8000", run.upstream)), "http/1.1")

    def reload(self, run):
        run.signal(signal.SIGUSR1)


class Caddy(Proxy):
    name, packages, program = "caddy", "caddy", "caddy"

    def command(self, run: Run, site: str) -> list[str]:
        # The program keeps its own files below these folders.
        os.environ["XDG_DATA_HOME"] = os.environ["XDG_CONFIG_HOME"] = str(run.folder.parent)
        path = run.write("Caddyfile", f"{{\n\tadmin 127.0.0.1:{run.spare}\n\tauto_https off\n}}\n{site}")
        return [self.find(), "run", "--config", str(path), "--adapter", "caddyfile"]

    def right(self, run):
        text = replaced(
            (examples / "caddy/Caddyfile").read_text(),
            ("api.example.com {", f"https://localhost:{run.port} {{\n\ttls {run.certificate} {run.certificate}"),
            ("127.0.0.1:8000", f"127.0.0.1:{run.upstream}"))  # fmt: skip
        return self.command(run, text)

    def smallest(self, run):
        return self.command(run, replaced(
            (smallest / "caddy.conf").read_text(),
            (":80 {", f"http://localhost:{run.port} {{"), ("8000", run.upstream)))  # fmt: skip

    def reload(self, run):
        run.command(
            self.find(), "reload", "--force", "--config", run.folder / "Caddyfile", "--adapter", "caddyfile",
            "--address", f"127.0.0.1:{run.spare}")  # fmt: skip


class Varnish(Proxy):
    name, packages, program = "varnish", "varnish", "varnishd"
    has_tls = has_http2 = False

    def command(self, run: Run, text: str, *options: str) -> list[str]:
        path = run.write("default.vcl", text)
        return [
            self.find(), "-F", "-j", "none", "-a", f"127.0.0.1:{run.port}", "-f", str(path), "-n",
            f"{run.folder}/varnish", "-s", "malloc,32m", "-p", "vsl_space=1M", *options,
        ]  # fmt: skip

    def right(self, run):
        unit = (examples / "varnish/override.conf").read_text().replace("\\\n", " ")
        words = shlex.split(re.search(r"^ExecStart=(\S.*)$", unit, re.MULTILINE).group(1))
        options = [word for flag, word in zip(words, words[1:]) if flag == "-p"]
        if run.silence:
            options = [re.sub("=3600$", f"={run.silence}", option) for option in options]
        text = replaced((examples / "varnish/default.vcl").read_text(), ("8000", run.upstream))
        return self.command(run, text, *(part for option in options for part in ("-p", option)))

    def smallest(self, run):
        return self.command(run, replaced((smallest / "varnish.vcl").read_text(), ("8000", run.upstream)))

    def reload(self, run):
        administer = ["varnishadm", "-n", run.folder / "varnish"]
        name = f"again{os.urandom(4).hex()}"
        run.command(*administer, "vcl.load", name, run.folder / "default.vcl")
        run.command(*administer, "vcl.use", name)


class Squid(Proxy):
    name, packages, program = "squid", "squid", "squid"
    has_tls = has_http2 = False

    def command(self, run: Run, text: str) -> list[str]:
        path = run.write("squid.conf", f"""{text}
pid_filename {run.folder}/squid.pid
cache_log {run.folder}/cache.log
access_log none
cache_mem 8 MB
coredump_dir {run.folder}
pinger_enable off
netdb_filename none
shutdown_lifetime 0 seconds
visible_hostname localhost
""")
        return [self.find(), "-N", "-n", f"checks{run.port}", "-f", str(path)]

    def right(self, run):
        text = replaced(
            (examples / "squid/squid.conf").read_text(),
            ("http_port 80", f"http_port 127.0.0.1:{run.port}"), ("8000", run.upstream),
            ("api.example.com", "localhost"))  # fmt: skip
        if run.silence:
            text = replaced(text, ("timeout 1 hour", f"timeout {run.silence} seconds"))
        return self.command(run, text)

    def smallest(self, run):
        return self.command(run, replaced(
            (smallest / "squid.conf").read_text(),
            ("http_port 80", f"http_port 127.0.0.1:{run.port}"), ("8000", run.upstream)))  # fmt: skip

    def reload(self, run):
        run.signal(signal.SIGHUP)


class Lighttpd(Proxy):
    name, packages, program = "lighttpd", "lighttpd lighttpd-mod-openssl", "lighttpd"

    def is_installed(self):
        return super().is_installed() and pathlib.Path("/usr/lib/lighttpd/mod_openssl.so").exists()

    def command(self, run: Run, text: str) -> list[str]:
        path = run.write("lighttpd.conf", f"""
server.document-root = "{run.folder}"
server.upload-dirs = ( "{run.folder}" )
server.errorlog = "{run.folder}/error.log"
server.bind = "127.0.0.1"
server.port = {run.port}
{text}""")
        return [self.find(), "-D", "-f", str(path)]

    def right(self, run):
        text = (examples / "lighttpd/graphql.conf").read_text()
        # The socket of the condition would be a second one beside the server's own.
        text = re.sub(r'\$SERVER\["socket"\] == ":443" \{\n((?:.*\n)*?)\}', r"\1", text)
        text = replaced(
            text, ("8000", run.upstream), ("/etc/ssl/api.example.com.pem", run.certificate),
            ("/etc/ssl/api.example.com.key", run.certificate))  # fmt: skip
        return self.command(run, replaced(text, ("3600", run.silence)) if run.silence else text)

    def smallest(self, run):
        return self.command(run, replaced((smallest / "lighttpd.conf").read_text(), ("8000", run.upstream)))

    def reload(self, run):
        run.signal(signal.SIGUSR1)


class TrafficServer(Proxy):
    name, packages, program = "trafficserver", "trafficserver", "traffic_server"
    reloads = False

    def command(self, run: Run, records: str, remap: str, certificates: str = "") -> list[str]:
        for folder in ["etc", "var/log", "var/run", "var/cache", "share"]:
            (run.folder / folder).mkdir(parents=True)
        run.write("runroot.yaml", "\n".join([
            f"prefix: {run.folder}", "exec_prefix: /usr", "bindir: /usr/bin", "sbindir: /usr/bin",
            f"sysconfdir: {run.folder}/etc", f"datadir: {run.folder}/share", "includedir: /usr/include",
            "libdir: /usr/lib/trafficserver", "libexecdir: /usr/lib/trafficserver/modules",
            f"localstatedir: {run.folder}/var", f"runtimedir: {run.folder}/var/run",
            f"logdir: {run.folder}/var/log", f"cachedir: {run.folder}/var/cache", ""]))  # fmt: skip
        run.write("etc/records.config", f"""{records}
CONFIG proxy.config.admin.user_id STRING #-1
CONFIG proxy.config.exec_thread.autoconfig INT 0
CONFIG proxy.config.exec_thread.limit INT 1
CONFIG proxy.config.url_remap.remap_required INT 1
CONFIG proxy.config.diags.debug.enabled INT 0
CONFIG proxy.config.log.logging_enabled INT 0
CONFIG proxy.config.cache.ram_cache.size INT 1048576
""")
        run.write("etc/storage.config", f"{run.folder}/var/cache 32M\n")
        run.write("etc/remap.config", remap)
        run.write("etc/ssl_multicert.config", certificates)
        for name in ["ip_allow.yaml", "plugin.config", "logging.yaml", "parent.config", "sni.yaml"]:
            source = pathlib.Path("/etc/trafficserver") / name
            if source.exists():
                shutil.copy(source, run.folder / "etc" / name)
        return [self.find(), f"--run-root={run.folder}/runroot.yaml"]

    def right(self, run):
        folder = examples / "trafficserver"
        records = replaced(
            (folder / "records.config").read_text(), ("STRING 443:ssl", f"STRING {run.port}:ssl"))  # fmt: skip
        if run.silence:
            records = replaced(records, ("INT 3600", f"INT {run.silence}"))
        remap = replaced(
            (folder / "remap.config").read_text(), ("api.example.com", f"localhost:{run.port}"), ("8000", run.upstream))
        certificates = replaced(
            (folder / "ssl_multicert.config").read_text(), ("/etc/ssl/api.example.com.pem", run.certificate),
            ("/etc/ssl/api.example.com.key", run.certificate))  # fmt: skip
        return self.command(run, records, remap, certificates)

    def smallest(self, run):
        remap = replaced((smallest / "trafficserver.config").read_text(), ("8000", run.upstream))
        return self.command(run, f"CONFIG proxy.config.http.server_ports STRING {run.port}", remap)


proxies = [Nginx(), HAProxy(), Apache(), Caddy(), Varnish(), Squid(), Lighttpd(), TrafficServer()]
