/** Script for the page: the times of its frames while it scrolls through a list. */
export declare const scrollThrough: string
