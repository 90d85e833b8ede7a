"""A phone's control services on a port of this machine, over gRPC."""

from __future__ import annotations

from collections.abc import Callable

import grpc
import grpc.aio

from distrl.simphone.emulator.controller import Controller, Method, Refused
from distrl.simphone.emulator.protowire import NotProtobuf
from distrl.simphone.emulator.snapshots import Snapshots
from distrl.simphone.served import ServedPhone, Unplugged

PACKAGE = "android.emulation.control"
PORT_OFFSET = 3000  # from the console's port, as real emulators have it: 5554 and 8554
_STOP_S = 0.2
_OPTIONS = [("grpc.so_reuseport", 0), ("grpc.max_send_message_length", -1)]


class GrpcFace:
    """The gRPC server of one phone."""

    def __init__(
        self,
        served: ServedPhone,
        port: int,
        snapshots: Snapshots,
        switch_off: Callable[[], None] | None = None,
    ) -> None:
        self.port = port
        self._controller = Controller(served, snapshots, switch_off)
        self._server: grpc.aio.Server | None = None

    async def start(self) -> None:
        """Listen; port 0 takes a free one. Raises OSError when the port is taken."""
        server = grpc.aio.server(options=_OPTIONS)
        services: dict[str, dict[str, grpc.RpcMethodHandler[bytes, bytes]]] = {}
        for (service, name), method in self._controller.methods.items():
            handlers = services.setdefault(service, {})
            handlers[name] = grpc.unary_unary_rpc_method_handler(_answering(method))
        for service, handlers in services.items():
            server.add_generic_rpc_handlers(
                (grpc.method_handlers_generic_handler(f"{PACKAGE}.{service}", handlers),)
            )
        try:
            port = server.add_secure_port(f"localhost:{self.port}", grpc.local_server_credentials())
        except RuntimeError as error:
            raise OSError(f"port {self.port} is taken") from error
        await server.start()
        self.port, self._server = port, server

    async def stop(self) -> None:
        """Listen no more."""
        if self._server is not None:
            await self._server.stop(_STOP_S)
            self._server = None


def _answering(
    method: Method,
) -> Callable[[bytes, grpc.aio.ServicerContext[bytes, bytes]], object]:
    async def answer(request: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
        try:
            return await method(request)
        except NotProtobuf as error:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
        except Refused as error:
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(error))
        except Unplugged:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "the phone has just gone away")

    return answer
