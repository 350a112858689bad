import { queryLinkages } from '@linewarden/contract'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import type { AutomationDeps } from './deps.ts'

/** A linkage whose conditions move many times a second is asked for again less often than that. */
const spaceMs = 400

/** Says that a linkage stands otherwise, or did something, to whoever sees one of its lines. */
export function createLinkageLive({ plant, hub }: Pick<AutomationDeps, 'plant' | 'hub'>) {
  const waiting = new Map<number, NodeJS.Timeout>()
  return {
    changed(linkage: StoredLinkage): void {
      const { linkageId } = linkage
      if (!waiting.has(linkageId)) waiting.set(linkageId, setTimeout(() => publish(linkage), spaceMs).unref())
    },
    close(): void {
      for (const timer of waiting.values()) clearTimeout(timer)
      waiting.clear()
    },
  }

  function publish({ linkageId, conditions, actions }: StoredLinkage): void {
    waiting.delete(linkageId)
    const lines = [...conditions, ...actions].flatMap(({ lineId }) => plant.lines.get(lineId ?? 0) ?? [])
    const gateways = new Set(lines.map(({ device }) => device.gateway))
    const message = { t: 'linkage', LinkageID: linkageId } as const
    hub.publish({ live: [...gateways].map((gateway) => ({ to: { gateway }, needs: queryLinkages, message })) })
  }
}
