/** What one cause can be: see `foldIncidents`. */
export const incidentKinds = ['gateway', 'upstreamTrip', 'outage', 'platform', 'neutral'] as const
export type IncidentKind = (typeof incidentKinds)[number]

/** What an event is in an incident: the root is shown, and shows for the children. */
export const incidentRoles = ['root', 'child'] as const
export type IncidentRole = (typeof incidentRoles)[number]
