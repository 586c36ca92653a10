/** Stands in everything that a narrow caller must never see. */
export const canary = 'CANARY-of-the-hidden-things'
