import type { HttpHost, Listening } from '../../http/host.js'
import type { Logger } from '../../telemetry/logger.js'

/** How a process serves as one of several behind one port. Without it a process is by itself, and nothing of this is loaded. */
export interface Part {
  readonly role: 'parent' | 'worker'
  /** Its name in the fleet that the processes are. */
  readonly replica: string
  /** With files the parent runs what runs once; on a database each takes what is placed with it. */
  readonly takes: 'first' | 'never' | undefined
  /** What is logged says which of them does. */
  mark?(logger: Logger): Logger
  /** By which programs of this user come in, whichever process gets the connection. */
  readonly localKey: string
  /**
   * Opens the public port: a worker by `listen`, the parent by its workers. Resolves with what people and programs are told.
   * Rejects as `listen` does.
   */
  open(listen: HttpHost['listen'], pin: string | undefined): Promise<OpenedPort>
  /** A worker shows another certificate. */
  changed(pin: string | undefined): void
  /** Told of the certificate that is shown from now on. */
  onChange(listener: (pin: string | undefined) => void): void
  /** Somebody looks at the readiness of one, and decides by it about all. */
  asked(): void
  /** What all of them counted. */
  readonly metrics: () => Promise<string>
  /** The parent's: all say that they are not ready, for the time that a balancer needs to notice. */
  drain?(): Promise<void>
  /** The parent's: resolves when all have ended. */
  close?(): Promise<void>
}

export interface OpenedPort extends Listening {
  /** SHA-256 of the certificate that is shown, where TLS is spoken. */
  readonly pin: string | undefined
}
