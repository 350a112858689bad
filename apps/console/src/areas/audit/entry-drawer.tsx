import type { JournalRecord } from '@linewarden/contract'
import { actorName } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Drawer } from '../../ui/drawer.tsx'
import { dayTime } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'

/** One entry with what was there before and after it. */
export function EntryDrawer({ entry, onClose }: { entry: JournalRecord; onClose: () => void }) {
  const { t } = useTranslation('people')
  return (
    <Drawer
      label={localised(entry.Label)}
      title={<h2>{localised(entry.Label)}</h2>}
      subtitle={
        <p className="mute">
          {dayTime(entry.At)} · {localised(actorName(entry.Actor))} · {localised(entry.TargetLabel)}
        </p>
      }
      onClose={onClose}
    >
      <div className="log-details">
        {entry.Before !== null && <Change title={t('before')} json={entry.Before} />}
        {entry.After !== null && <Change title={t('after')} json={entry.After} />}
      </div>
    </Drawer>
  )
}

function Change({ title, json }: { title: string; json: string }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <pre>{pretty(json)}</pre>
    </section>
  )
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}
