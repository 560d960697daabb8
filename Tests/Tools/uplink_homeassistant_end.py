#!/usr/bin/env python3
"""Home Assistant itself, as far as it receives boards: its core, mqtt and owntracks, nothing else.

Usage: uplink_homeassistant_end.py FOLDER BROKER_PORT WEB_PORT, by a Python that has the package
homeassistant. Says "ready"; answers a line on its standard input with a line of JSON: every state
that a tracker of OwnTracks had, all entities with their states, and the warnings.
"""
import asyncio
import json
import logging
import sys
from types import MappingProxyType, ModuleType

from homeassistant import bootstrap, components, loader
from homeassistant.auth import auth_manager_from_config
from homeassistant.config_entries import SOURCE_USER, ConfigEntries, ConfigEntry
from homeassistant.const import EVENT_STATE_CHANGED
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry
from homeassistant.setup import async_setup_component

WEBHOOK = "godwit-trial"
# owntracks depends on it, and it is not here. It requires cameras and speech.
components.cloud = sys.modules["homeassistant.components.cloud"] = ModuleType("cloud")


class Complaints(logging.Handler):
    """Home Assistant's warnings, about itself or about us."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.texts = []

    def emit(self, record):
        cause = f" ({record.exc_info[1]!r})" if record.exc_info else ""
        self.texts.append(f"{record.name}: {record.getMessage()}{cause}")


class House:
    def __init__(self, folder):
        with open(f"{folder}/configuration.yaml", "w", encoding="utf-8"):
            pass  # mqtt reads it.
        self.hass = HomeAssistant(folder)
        self.states = []
        self.complaints = Complaints()
        logging.getLogger("homeassistant").addHandler(self.complaints)

    async def build(self, broker, web):
        hass = self.hass
        hass.config.skip_pip = True
        hass.config_entries = ConfigEntries(hass, {})
        loader.async_setup(hass)
        await loader.async_get_custom_components(hass)
        await bootstrap.async_load_base_functionality(hass)
        hass.auth = await auth_manager_from_config(hass, [], [])
        await self.set_up("homeassistant", {})
        await self.set_up("http", {"server_host": ["127.0.0.1"], "server_port": web})
        await self.set_up("owntracks", {})
        hass.bus.async_listen(EVENT_STATE_CHANGED, self.note)
        await self.add("mqtt", {"broker": "127.0.0.1", "port": broker, "discovery": True})
        await self.add("owntracks", {"webhook_id": WEBHOOK, "secret": ""})
        await hass.async_start()
        await hass.async_block_till_done()

    async def set_up(self, domain, config):
        if not await async_setup_component(self.hass, domain, {domain: config}):
            raise RuntimeError(f"{domain}: {self.complaints.texts}")

    async def add(self, domain, data):
        await self.hass.config_entries.async_add(ConfigEntry(
            data=data, discovery_keys=MappingProxyType({}), domain=domain, minor_version=1,
            options={}, source=SOURCE_USER, title=domain, unique_id=None, version=1))

    @callback
    def note(self, event):
        state = event.data["new_state"]
        if state and state.domain == "device_tracker":
            self.states.append([state.entity_id, *map(state.attributes.get, (
                "latitude", "longitude", "gps_accuracy"))])

    async def report(self):
        await self.hass.async_block_till_done()
        entities = entity_registry.async_get(self.hass).entities.values()
        return {
            "states": self.states, "complaints": self.complaints.texts,
            "entities": {
                entity.entity_id: [entity.platform, state.state if state else None,
                                   dict(state.attributes) if state else {}]
                for entity in entities
                for state in [self.hass.states.get(entity.entity_id)]}}


async def main():
    folder, broker, web = sys.argv[1], *map(int, sys.argv[2:])
    house = House(folder)
    await house.build(broker, web)
    print("ready", flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        print(json.dumps(await house.report(), default=str), flush=True)
    await house.hass.async_stop(force=True)


if __name__ == "__main__":
    asyncio.run(main())
