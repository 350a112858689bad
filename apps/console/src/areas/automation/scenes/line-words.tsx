import type { SceneItem } from '@linewarden/contract'
import type { TFunction } from 'i18next'
import { localised } from '../../../ui/i18n.ts'
import { isolated } from '../../../ui/place.tsx'
import { blockReasonsOf } from './scene-facts.ts'

/** How a line is meant to stand, beside how it does. */
export function meantWord(
  { Switch, Action, Match }: Pick<SceneItem, 'Switch' | 'Action' | 'Match'>,
  t: TFunction<'scenes'>,
): string {
  const action = t(`shouldBe.${Action}`)
  if (Switch === 'offline') return t('away', { action })
  return Match === 'unknown' ? t('notKnown', { action }) : action
}

/** What stands against a line, in one phrase. */
export function blockedWord(item: SceneItem, t: TFunction<'scenes'>): string {
  const reasons = blockReasonsOf(item)
  const words = { name: isolated([item.LineName]), reason: reasons[0] ? localised(reasons[0].Text) : '', count: reasons.length }
  return t(reasons.length > 1 ? 'blockedByMore' : 'blockedBy', words)
}
