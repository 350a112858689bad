import type { LineState } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { span } from '../ui/format.ts'
import { useNow } from '../ui/use-now.ts'

/** How old the newest values are; their quality stands to the left of it. */
export function Age({ state, current }: { state: LineState | undefined; current: boolean }) {
  const { t } = useTranslation('monitor')
  const now = useNow()
  if (!state?.ReceivedAt) return <span className="mute">–</span>
  return (
    <span className="age">
      {!current && <i className="quality">{t('staleMark')}</i>}
      {state.Quality === 'clock' && <i className="quality">{t('clockMark')}</i>}
      <span className="mute">{span(now - state.ReceivedAt)}</span>
    </span>
  )
}
