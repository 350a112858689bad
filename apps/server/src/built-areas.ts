import type { FastifyInstance } from 'fastify'
import type { Background, Core, ServerArea } from './areas/server-area.ts'
import type { SubjectSources } from './audit/names.ts'
import type { Serve } from './http/context.ts'
import type { Job } from './jobs/jobs.ts'

/** What the areas know of the things that the audit trail is about: each answers for those that its manifest names. */
export const subjectSources = (areas: readonly ServerArea[], deps: Pick<Core, 'database' | 'plant'>): SubjectSources =>
  Object.assign({}, ...areas.map((area) => area.subjects(deps)))

/** What the areas have done in the background. */
export const jobsOf = (areas: readonly ServerArea[]): readonly Job[] => areas.flatMap(({ jobs = [] }) => jobs)

/**
 * Builds the areas, each after those that it needs. What is to be closed is handed to `closing` as it is built, so that whoever closes in
 * reverse closes an area before those that it asks.
 */
export async function buildAreas(areas: readonly ServerArea[], core: Core, closing: (close: () => Promise<void>) => void) {
  const services = new Map<ServerArea, unknown>()
  for (const area of areas) await build(area)
  return { of, mount, mountPublicRoutes, begin }

  async function build(area: ServerArea): Promise<void> {
    if (services.has(area)) return
    for (const need of Object.values(area.needs)) await build(need)
    const needs = Object.fromEntries(Object.entries(area.needs).map(([name, need]) => [name, services.get(need)]))
    const service = await area.create(core, needs)
    services.set(area, service)
    core.reports.register(area.reports(service, core))
    if (area.close) closing(() => area.close?.(service) ?? Promise.resolve())
  }

  function of<S>(area: ServerArea<S>): S {
    return services.get(area) as S
  }

  /** Throws where an area leaves a call of its manifest unanswered, or answers one that is not in it. */
  function mount(serve: Serve): void {
    for (const area of areas) {
      const { name, calls } = area.manifest
      const open = new Set(Object.keys(calls))
      const own: Serve = (call, handler) => {
        if (!open.delete(call.name)) throw new Error(`${name} answers ${call.name}, which is not its own, or a second time`)
        serve(call, handler)
      }
      area.routes(own, services.get(area), core)
      if (open.size > 0) throw new Error(`${name} does not answer ${[...open].join(', ')}`)
    }
  }

  function mountPublicRoutes(app: FastifyInstance): void {
    for (const area of areas) area.publicRoutes?.(app, services.get(area))
  }

  /** Starts what runs beside the calls. */
  function begin(): ReadonlyMap<ServerArea, Background> {
    const begun = new Map<ServerArea, Background>()
    for (const area of areas) {
      const background = area.background?.(core)
      if (!background) continue
      closing(() => background.close())
      begun.set(area, background)
    }
    return begun
  }
}
