import { queryLinkages } from '@linewarden/contract'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import type { AutomationDeps } from './deps.ts'
import { linesOf } from './linkage-lines.ts'

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

  function publish(linkage: StoredLinkage): void {
    const { linkageId } = linkage
    waiting.delete(linkageId)
    const gateways = new Set(linesOf(plant, linkage).map(({ device }) => device.gateway))
    const message = { t: 'linkage', LinkageID: linkageId } as const
    hub.publish({ live: [...gateways].map((gateway) => ({ to: { gateway }, needs: queryLinkages, message })) })
  }
}
