import { setTimeout as wait } from 'node:timers/promises'
import mqtt from 'mqtt'

type Values = Readonly<Record<string, string | number>>

/** A JSON gateway with one board, whose line 1 feeds the others, and a smoke detector. It says a thing until somebody says it has arrived. */
export class JsonBoard {
  readonly number: string
  readonly #secret: string
  readonly #port: () => number
  readonly lines: number
  #client: mqtt.MqttClient | null = null

  /** `port`: where the broker is now. */
  constructor(number: string, secret: string, lines: number, port: () => number) {
    this.number = number
    this.#secret = secret
    this.lines = lines
    this.#port = port
  }

  get board(): string {
    return `${this.number}-B`
  }

  get smoke(): string {
    return `${this.number}-Y`
  }

  /** Everything closed and sound. */
  birth(time: number): Promise<void> {
    const values: Record<string, string | number> = { 'info/model': '3PN' }
    for (let line = 1; line <= this.lines; line++)
      Object.assign(values, {
        [`${line}/info/ratedCurrent`]: 63,
        [`settings/${line}/leakage.trip`]: 300,
        [`${line}/position`]: 'closed',
        [`${line}/trip.cause`]: 'none',
        [`${line}/voltage.a`]: 230,
      })
    const smoke = { id: this.smoke, values: { 'info/model': 'JTY-GD', smoke: 0 } }
    return this.#publish('birth', { time, devices: [{ id: this.board, values }, smoke] })
  }

  report(time: number, values: Values, device = this.board): Promise<void> {
    return this.#publish('data', { device, time, values })
  }

  trips(line: number, time: number): Promise<void> {
    return this.report(time, { [`${line}/position`]: 'open', [`${line}/trip.cause`]: 'short' })
  }

  async end(): Promise<void> {
    await this.#client?.endAsync(true)
  }

  async #publish(kind: string, message: object): Promise<void> {
    for (;;)
      try {
        this.#client ??= await mqtt.connectAsync(
          `mqtt://127.0.0.1:${this.#port()}`,
          { username: this.number, password: this.#secret, reconnectPeriod: 0, connectTimeout: 5_000 },
          false,
        )
        const client = this.#client
        // A server that was killed acknowledges nothing any more.
        await new Promise<void>((resolve, reject) => {
          const gone = () => reject(new Error('the connection was lost'))
          client.once('close', gone)
          client.publish(`linewarden/v1/${this.number}/${kind}`, JSON.stringify(message), { qos: 1 }, (error) => {
            client.off('close', gone)
            if (error) reject(error)
            else resolve()
          })
        })
        return
      } catch {
        this.#client?.end(true)
        this.#client = null
        await wait(50)
      }
  }
}
