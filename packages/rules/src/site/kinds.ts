/** By whose rules a project's installation is judged. */
export const standards = ['GB', 'IEC'] as const
export type Standard = (typeof standards)[number]

/** How a gateway came to be added. */
export const addMethods = ['manual', 'scan', 'batch', 'auto'] as const
export type AddMethod = (typeof addMethods)[number]

/** What the gateway speaks: Sparkplug B, or our JSON. */
export const dockingPlatforms = ['sparkplug', 'json'] as const
export type DockingPlatform = (typeof dockingPlatforms)[number]

/** By what a gateway is connected. */
export const deviceTypes = ['4G', 'NB', 'WiFi', 'Ethernet'] as const
export type DeviceType = (typeof deviceTypes)[number]
