import type { ReactNode } from 'react'
import { Component } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../ui/use-now.ts'
import { isGivenUp, panelRetryMs } from './panel-retry.ts'
import { wallClock } from './wall-clock.ts'

interface Failed {
  readonly error: Error | null
  readonly failures: number
}

/** A part of a wall whose failure is its own: it says so in its place, is tried again by itself, and the others go on. */
export class WallPanel extends Component<{ readonly name: string; readonly children: ReactNode }, Failed> {
  override state: Failed = { error: null, failures: 0 }
  #timer: ReturnType<typeof setTimeout> | undefined

  static getDerivedStateFromError(error: Error): Partial<Failed> {
    return { error }
  }

  override componentDidCatch(): void {
    const failures = this.state.failures + 1
    this.setState({ failures })
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.setState({ error: null }), panelRetryMs(failures))
  }

  override componentWillUnmount(): void {
    clearTimeout(this.#timer)
  }

  override render(): ReactNode {
    const { name, children } = this.props
    return this.state.error === null ? (
      children
    ) : (
      <PanelFailed name={name} afterMs={panelRetryMs(Math.max(1, this.state.failures))} />
    )
  }
}

function PanelFailed({ name, afterMs }: { name: string; afterMs: number }) {
  const { t } = useTranslation('screen')
  return (
    <section className="panel-failed" role="alert">
      <b>{t('panelFailed', { name })}</b>
      <span>{t('panelRetried', { seconds: afterMs / 1_000 })}</span>
    </section>
  )
}

const key = 'linewarden.wallFailures'
const pageRetryMs = 5_000
const plainRetryMs = 60_000

/** When pages of this wall failed; it outlives a reload. */
function failedAt(): readonly number[] {
  const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
  return Array.isArray(kept) ? kept.filter((at) => typeof at === 'number') : []
}

/** A page of a wall: one that fails as a whole is loaded anew, and after three failures within ten minutes stays plain, with a clock and why. */
export class WallPage extends Component<{ readonly children: ReactNode }, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null }
  #timer: ReturnType<typeof setTimeout> | undefined

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override componentDidCatch(): void {
    const now = Date.now()
    const all = [...failedAt(), now].slice(-10)
    sessionStorage.setItem(key, JSON.stringify(all))
    this.#timer = setTimeout(() => location.reload(), isGivenUp(all, now) ? plainRetryMs : pageRetryMs)
  }

  override componentWillUnmount(): void {
    clearTimeout(this.#timer)
  }

  override render(): ReactNode {
    return this.state.error === null ? this.props.children : <PageFailed reason={this.state.error.message} />
  }
}

function PageFailed({ reason }: { reason: string }) {
  const { t } = useTranslation('screen')
  const { time, day } = wallClock(useNow(), Intl.DateTimeFormat().resolvedOptions().timeZone)
  return (
    <main className="page-failed">
      <h1>{t('pageFailed')}</h1>
      <b>{time}</b>
      <span>{day}</span>
      <p>{reason}</p>
      <p>{t('pageRetried')}</p>
    </main>
  )
}
